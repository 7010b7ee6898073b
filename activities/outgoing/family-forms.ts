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
import type { OrderOf } from '../fleets/order-signer';

/** `key` is unique per network and kind. */
export type NewClaim = Pick<ClaimEntity, 'kind' | 'key' | 'lane' | 'value'>;

export type BuildOutcome =
  /** With `queued` the transfer keeps its place in the queue. */
  | { readonly kind: 'Waits'; readonly detail: Blocker['detail']; readonly queued: boolean }
  /** Earlier requests changed the lane (the sender's queue on the network), so the network must be queried for more data. */
  | { readonly kind: 'AskAgain' }
  | { readonly kind: 'FeeAboveCeiling' }
  | {
      readonly kind: 'Built';
      readonly unsigned: UnsignedBytes;
      readonly nonce: number | null;
      readonly claims: readonly NewClaim[];
      readonly context: PayloadEntity['context'];
      /** Options that the API shows with the request. */
      readonly noted?: BuiltOptions;
      /** Present if the outcome of the operation inside the transaction decides how the transfer ends. */
      readonly operationHash?: string;
      /** Runs after the claims are written, under the same lock. */
      readonly after?: (tx: Tx) => Promise<void>;
    };

export interface FamilyPreparation {
  /**
   * Queries the network before any lock is taken, and returns a function to run under the lane's lock. `BuildUnderLock` writes
   * no claims and may run in a database transaction that is rolled back. Both functions throw `TransferWouldFail` for a
   * transfer that can never be sent.
   */
  quote(row: OutgoingEntity): Promise<BuildUnderLock>;
}

export type BuildUnderLock = (tx: Tx, row: OutgoingEntity) => Promise<BuildOutcome>;

/** `txHash` is the id that the signed transaction has in a block, if known. */
export type SignedForCaller = Pick<SignatureEntity, 'payload' | 'filledHex' | 'nonce' | 'txHash'>;

/**
 * Builds bytes that compete with the bytes of `rival`, which may be signed or only built. `row.replacementKind` specifies
 * whether the new bytes have the same effect for a higher fee or only use up the rival's claims. Shared claims stay with the
 * request that `row.claimsOf` identifies; the outcome lists only the additional claims. The new bytes must use at least one open
 * claim of `rival` again, or both transactions could be executed (S7). Throws `TransferWouldFail` if the new bytes could never
 * replace the rival's.
 */
export interface FamilyReplacement {
  quote(row: OutgoingEntity, rival: PayloadEntity): Promise<BuildUnderLock>;
  /** Like `quote`, for the cancellation of a transaction that was only signed for its caller. */
  quoteAgainst(row: OutgoingEntity, signed: SignedForCaller): Promise<BuildUnderLock>;
}

export type OrderBase = Omit<OrderOf<'signTransfer'>, 'chainId' | 'intent' | 'nonce'>;

/** Throws `SignerRefused` if the signer refuses, and `AtDevice` while the transaction waits for an offline device. */
export interface FamilySigning {
  sign(row: OutgoingEntity, payload: PayloadEntity, order: OrderBase): Promise<SignedTx>;
}

/** `isFrozen` reads the database, so the lane care calls `isFrozen` only when needed. */
export type LaneLooking = {
  readonly db: Database;
  readonly readers: ReturnType<typeof createReaders>;
  readonly gateways: ReturnType<typeof createGateways>;
  readonly orgId: string;
  readonly lane: { readonly network: NetworkName; readonly address: string };
  readonly memory: LaneMemory | undefined;
  readonly isFrozen: () => Promise<boolean>;
};
