import type { Network } from '../../chains/types';
import type { Family, NetworkName } from '../../domain/networks';
import type { AssetKind, FeePriority, ReplacementKind, TransferOptions } from '../../domain/transfers';
import type { TravelRulePayload } from '../../domain/travel-rules';
import type { Tx } from '../../entities/database';
import type { OutgoingEntity } from '../../entities/outgoing/outgoing.entity';
import type { PayloadEntity } from '../../entities/outgoing/payload.entity';
import type { Services } from '../services';
import type { UsableWallet } from '../wallets/wallets';
import type { EvmTransactionRequest } from './evm/transaction';
import type { UserOperationsRequest } from './evm/user-operations';
import type { TransferDraft } from './record-request';
import type { SolanaTransactionRequest } from './solana/transaction';
import type { UtxoTransactionRequest } from './utxo/transaction';

/** A transfer as its body says it, whatever the kind; which members a kind has is the schemas' affair. */
export type TransferRequest = {
  readonly kind: AssetKind;
  readonly contract?: string | undefined;
  readonly mint?: string | undefined;
  readonly tokenId?: string | undefined;
  readonly to: string;
  readonly amount?: string | undefined;
  readonly memo?: string | undefined;
  readonly createDestinationAccount?: boolean | undefined;
  readonly useDurableNonce?: boolean | undefined;
  readonly priority?: FeePriority | undefined;
  readonly externalId?: string | undefined;
  readonly feeSponsorId?: string | undefined;
  readonly travelRule?: TravelRulePayload | undefined;
};

type RequestsOf = {
  readonly evm: EvmTransactionRequest | UserOperationsRequest;
  readonly solana: SolanaTransactionRequest;
  readonly utxo: UtxoTransactionRequest;
};
/** A raw transaction as its body says it; each family takes some of the kinds. */
export type TransactionRequest = RequestsOf[Family];

/** How a family reads a request for a transfer: every fault of it is a 4xx with the path of its field, before anything is stored. */
export type ReadTransfer = (services: Services, wallet: UsableWallet, request: TransferRequest) => Promise<TransferDraft>;

/** The same for a raw transaction. */
export type ReadTransaction<Request> = (services: Services, wallet: UsableWallet, request: Request) => Promise<TransferDraft>;

/** How something takes the place of a family's transactions. */
export type ReplacementForm = {
  /** The option with which a transfer must have been asked for. */
  readonly needs?: keyof TransferOptions;
  /** Whether the nodes of a network go along; where this is left out, those of all do. */
  readonly isTakenBy?: (network: Network) => boolean;
  /** Why these bytes cannot be replaced so, in words for the caller; undefined where they can. */
  readonly whyNot?: (row: OutgoingEntity, payload: PayloadEntity, kind: ReplacementKind) => string | undefined;
  /** The same for what other requests have to do with them. The caller holds the row's lock. */
  readonly whoPrevents?: (tx: Tx, row: OutgoingEntity) => Promise<string | undefined>;
};

/** How a child that spends the change of a transaction brings both into a block, where nothing takes the place of the transaction itself. */
export type ChildForm = {
  /** Whether a child is taken along with its parent on a network. */
  readonly isTakenAlong: (network: Network) => boolean;
  /** Whether a child is the way for this one; another one is replaced. */
  readonly isFor: (row: OutgoingEntity) => boolean;
  /** Why there cannot be one, for good; undefined where there can. */
  readonly whyNever: (row: OutgoingEntity, payload: PayloadEntity | undefined) => string | undefined;
  /** Why there cannot be one as things are. The caller holds the row's lock. */
  readonly whoPrevents: (tx: Tx, row: OutgoingEntity) => Promise<string | undefined>;
};

/** How somebody else pays the fees of a family's transactions. */
export type SponsoringForm =
  | {
      /** Why nobody can pay for somebody else there; undefined where it is possible. */
      readonly whyNot: (network: NetworkName) => string | undefined;
      /** What only the network can tell; throws what the caller is answered. */
      readonly assertReady: (services: Services, network: NetworkName, sponsorAddress: string) => Promise<void>;
    }
  /** The family has nothing of the kind, and says why. */
  | { readonly whyNot: (network: NetworkName) => string; readonly assertReady: null };
