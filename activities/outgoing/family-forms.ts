import type { createGateways } from '../../chains/gateways';
import type { createReaders } from '../../chains/readers';
import type { SignedTx, UnsignedBytes } from '../../chains/types';
import type { LaneMemory } from '../../domain/lanes';
import type { NetworkName } from '../../domain/networks';
import type { BuiltOptions } from '../../domain/transfers';
import type { Blocker } from '../../domain/waiting-stages';
import type { Database, Tx } from '../../entities/database';
import type { ClaimEntity } from '../../entities/outgoing/claim.entity';
import type { OutgoingEntity } from '../../entities/outgoing/outgoing.entity';
import type { PayloadEntity } from '../../entities/outgoing/payload.entity';
import type { SignatureEntity } from '../../entities/signatures/signature.entity';
import type { SignTransferOrder } from '../../signer/protocol';

/**
 * A resource of the chain that only one transaction can use up: a nonce of an account, or a coin. `key` is unique per network
 * and kind.
 */
export type NewClaim = Pick<ClaimEntity, 'kind' | 'key' | 'lane' | 'value'>;

/** The outcome of building a transfer under the lane's lock. */
export type BuildOutcome =
  /** The transfer's turn comes later. With `queued` the transfer keeps its place in the queue. */
  | { readonly kind: 'Waits'; readonly detail: Blocker['detail']; readonly queued: boolean }
  /** Other requests came first, so this request needs data that was not queried from the network. */
  | { readonly kind: 'AskAgain' }
  /** The network currently demands a higher fee than was approved. */
  | { readonly kind: 'FeeAboveCeiling' }
  | {
      readonly kind: 'Built';
      readonly unsigned: UnsignedBytes;
      readonly nonce: number | null;
      readonly claims: readonly NewClaim[];
      /** Further data that is needed to sign the bytes and to insert the signatures into the bytes. */
      readonly context: PayloadEntity['context'];
      /** Options of the built bytes that the API shows with the request. Absent if there is nothing to show. */
      readonly noted?: BuiltOptions;
      /**
       * The hash of the operation inside the transaction, if the operation's outcome decides how the transfer ends. Absent if
       * the transaction's outcome decides.
       */
      readonly operationHash?: string;
      /** Runs after the claims are written, under the same lock. */
      readonly after?: (tx: Tx) => Promise<void>;
    };

/** How a family turns an approved transfer into bytes. */
export interface FamilyPreparation {
  /**
   * Queries the network before any lock is taken, and returns a function to run under the lane's lock. That function takes no
   * claims and may run in a database transaction that is rolled back. Both functions throw `TransferWouldFail` for a transfer
   * that can never be sent.
   */
  quote(row: OutgoingEntity): Promise<BuildUnderLock>;
}

/** Runs under the lane's lock after the network was queried. */
export type BuildUnderLock = (tx: Tx, row: OutgoingEntity) => Promise<BuildOutcome>;

/** A signature that a caller received. `txHash` is the id that the signed transaction has in a block, if known. */
export type SignedForCaller = Pick<SignatureEntity, 'payload' | 'filledHex' | 'nonce' | 'txHash'>;

/**
 * Builds bytes that compete with the bytes of `rival`, which may be signed or only built. `row.replacementKind` says whether
 * the new bytes do the same for a higher fee or only use up the nonce or coins of `rival`. Claims that the old and the new
 * transaction share stay with the request that `row.claimsOf` names. The outcome lists only the additional claims. The new
 * bytes must use at least one open claim of `rival` again. Otherwise the old and the new transaction could both be executed
 * (S7). Throws `TransferWouldFail` if the new bytes could never replace the bytes of `rival`.
 */
export interface FamilyReplacement {
  quote(row: OutgoingEntity, rival: PayloadEntity): Promise<BuildUnderLock>;
  /** Does the same to cancel a transaction that was only signed for its caller. */
  quoteAgainst(row: OutgoingEntity, signed: SignedForCaller): Promise<BuildUnderLock>;
}

/** The part of an order to the signer that all families share: the requester, the grounds, the expiry and the key rows. */
export type OrderBase = Omit<SignTransferOrder, 'chainId' | 'intent' | 'nonce'>;

/** How a family requests the signature of its bytes. Throws `SignerRefused` if the signer refuses. */
export interface FamilySigning {
  sign(row: OutgoingEntity, payload: PayloadEntity, order: OrderBase): Promise<SignedTx>;
}

/** One check of a sender's lane. `isFrozen` reads the database, so it is called only when needed. */
export type LaneLooking = {
  readonly db: Database;
  readonly readers: ReturnType<typeof createReaders>;
  readonly gateways: ReturnType<typeof createGateways>;
  readonly orgId: string;
  readonly lane: { readonly network: NetworkName; readonly address: string };
  readonly memory: LaneMemory | undefined;
  readonly isFrozen: () => Promise<boolean>;
};
