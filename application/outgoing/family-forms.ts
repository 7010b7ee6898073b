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

/** A transfer of any kind as in its body; the schemas decide which members a kind has. */
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
/** A raw transaction as in its body; each family accepts some of the kinds. */
export type TransactionRequest = RequestsOf[Family];

/** How a family reads a request for a transfer: every fault is a 4xx with the path of its field, before anything is stored. */
export type ReadTransfer = (services: Services, wallet: UsableWallet, request: TransferRequest) => Promise<TransferDraft>;

/** The same for a raw transaction. */
export type ReadTransaction<Request> = (services: Services, wallet: UsableWallet, request: Request) => Promise<TransferDraft>;

/** How a family replaces transactions. */
export type ReplacementForm = {
  /** The option that the transfer must have been requested with. */
  readonly needs?: keyof TransferOptions;
  /** Whether the nodes of a network accept replacements; absent if those of every network do. */
  readonly isTakenBy?: (network: Network) => boolean;
  /** Why these bytes cannot be replaced that way, as a message for the caller; undefined if they can. */
  readonly whyNot?: (row: OutgoingEntity, payload: PayloadEntity, kind: ReplacementKind) => string | undefined;
  /** The same for obstacles among other requests. The caller holds the row's lock. */
  readonly whoPrevents?: (tx: Tx, row: OutgoingEntity) => Promise<string | undefined>;
};

/** How a child that spends a transaction's change gets both into a block, if the transaction itself cannot be replaced. */
export type ChildForm = {
  /** Whether miners on a network include a parent for the fee of its child. */
  readonly isTakenAlong: (network: Network) => boolean;
  /** Whether this transaction is sped up by a child; any other is replaced. */
  readonly isFor: (row: OutgoingEntity) => boolean;
  /** Why a child is permanently impossible; undefined if it is not. */
  readonly whyNever: (row: OutgoingEntity, payload: PayloadEntity | undefined) => string | undefined;
  /** Why a child is impossible at present. The caller holds the row's lock. */
  readonly whoPrevents: (tx: Tx, row: OutgoingEntity) => Promise<string | undefined>;
};

/** How a sponsor pays the fees of a family's transactions. */
export type SponsoringForm =
  | {
      /** Why fees cannot be sponsored there; undefined if they can. */
      readonly whyNot: (network: NetworkName) => string | undefined;
      /** Checks the part that only the network knows; throws the error for the caller. */
      readonly assertReady: (services: Services, network: NetworkName, sponsorAddress: string) => Promise<void>;
    }
  /** The reason why a family has no sponsoring. */
  | { readonly whyNot: (network: NetworkName) => string; readonly assertReady: null };
