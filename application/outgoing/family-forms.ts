import type { Network } from '../../chains/types';
import type { Family, NetworkName } from '../../domain/networks';
import type { AssetKind, FeePriority, ReplacementKind, TransferOptions } from '../../domain/transfers';
import type { TravelRulePayload } from '../../domain/travel-rules';
import type { Tx } from '../../entities/database';
import type { OutgoingEntity } from '../../entities/outgoing/outgoing.entity';
import type { PayloadEntity } from '../../entities/outgoing/payload.entity';
import type { Services } from '../services';
import type { SigningWallet } from '../wallets/signing-wallets';
import type { EvmTransactionRequest } from './evm/transaction';
import type { UserOperationsRequest } from './evm/user-operations';
import type { TransferDraft } from './record-request';
import type { SolanaTransactionRequest } from './solana/transaction';
import type { UtxoTransactionRequest } from './utxo/transaction';

/** The schemas define the members of each kind of transfer. */
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
/** Each family accepts some of the kinds. */
export type TransactionRequest = RequestsOf[Family];

/** Throws a 4xx error for every fault of the request, before anything is stored. */
export type ReadTransfer = (services: Services, wallet: SigningWallet, request: TransferRequest) => Promise<TransferDraft>;

/** Throws faults in the same way as `ReadTransfer`. */
export type ReadTransaction<Request> = (services: Services, wallet: SigningWallet, request: Request) => Promise<TransferDraft>;

export type ReplacementForm = {
  /** The option without which a transfer cannot be replaced later. */
  readonly needs?: keyof TransferOptions;
  /** If absent, the nodes of every network of the family accept replacements. */
  readonly isTakenBy?: (network: Network) => boolean;
  /** Returns the reason as a message of the API. */
  readonly whyNot?: (row: OutgoingEntity, payload: PayloadEntity, kind: ReplacementKind) => string | undefined;
  /** Returns the reason as a message of the API. The row is locked. */
  readonly whoPrevents?: (tx: Tx, row: OutgoingEntity) => Promise<string | undefined>;
};

/**
 * A child gets a stuck transaction into a block if no replacement is possible. The child spends the change of the stuck
 * transaction and pays a fee that is high enough for the two transactions (CPFP).
 */
export type ChildForm = {
  /** Whether miners of a network include a parent because of the fee of its child. */
  readonly isTakenAlong: (network: Network) => boolean;
  /** If the result is false, the transaction is replaced instead. */
  readonly isFor: (row: OutgoingEntity) => boolean;
  readonly whyNever: (row: OutgoingEntity, payload: PayloadEntity | undefined) => string | undefined;
  /** Returns the reason as a message of the API. The row is locked. */
  readonly whoPrevents: (tx: Tx, row: OutgoingEntity) => Promise<string | undefined>;
};

export type SponsoringForm =
  | {
      readonly whyNot: (network: NetworkName) => string | undefined;
      /** Checks facts that only the chain shows, such as contracts and funds. Throws an error of the API. */
      readonly assertReady: (services: Services, network: NetworkName, sponsorAddress: string) => Promise<void>;
    }
  /** A family without fee sponsors. */
  | { readonly whyNot: (network: NetworkName) => string; readonly assertReady: null };
