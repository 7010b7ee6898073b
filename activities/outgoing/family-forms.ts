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
 * Something of the chain that no other live transaction may use: one of an account's nonces, some of its coins. `key` is unique per network and
 * kind.
 */
export type NewClaim = Pick<ClaimEntity, 'kind' | 'key' | 'lane' | 'value'>;

/** The result of a family, under the lane's lock, for a transfer that is to be signed. */
export type BuildOutcome =
  /** Its turn comes later. `queued` keeps its place in the queue. */
  | { readonly kind: 'Waits'; readonly detail: Blocker['detail']; readonly queued: boolean }
  /** Other requests came first, so this one needs data from the network that was not queried. */
  | { readonly kind: 'AskAgain' }
  /** The network currently demands more than was approved. */
  | { readonly kind: 'FeeAboveCeiling' }
  | {
      readonly kind: 'Built';
      readonly unsigned: UnsignedBytes;
      readonly nonce: number | null;
      readonly claims: readonly NewClaim[];
      /** Needed in addition to the bytes to sign them and to put the signatures into place. */
      readonly context: PayloadEntity['context'];
      /** Shown with the request from then on; absent if there is nothing to show. */
      readonly noted?: BuiltOptions;
      /** The chain's id of the operation inside, whose outcome decides; absent if that of the transaction does. */
      readonly operationHash?: string;
      /** Runs after the claims, under the same lock. */
      readonly after?: (tx: Tx) => Promise<void>;
    };

/** How a family turns an approved transfer into bytes. */
export interface FamilyPreparation {
  /**
   * Queries the network before any lock is taken, and returns what runs under the lane's lock. The returned function takes no claim itself and may
   * run in a transaction that is rolled back. Either throws `TransferWouldFail` for a transfer that can never be sent.
   */
  quote(row: OutgoingEntity): Promise<BuildUnderLock>;
}

/** Runs under the lane's lock once the network was queried. */
export type BuildUnderLock = (tx: Tx, row: OutgoingEntity) => Promise<BuildOutcome>;

/** A signature that a caller received, with the id that its transaction has in a block, if known. */
export type SignedForCaller = Pick<SignatureEntity, 'payload' | 'filledHex' | 'nonce' | 'txHash'>;

/**
 * How a family builds bytes that compete with others. `row.replacementKind` says whether they do the same for a higher fee or only use up what
 * `rival` would have used; `rival` is the payload that the row competes with, signed or only built. The claims that both share stay where they are
 * (`row.claimsOf`): the returned ones are added. The new bytes must use again at least one claim that `rival` uses up, because otherwise both could
 * be carried out (S7), and it must still be open. Throws `TransferWouldFail` for bytes that can never replace the other ones.
 */
export interface FamilyReplacement {
  quote(row: OutgoingEntity, rival: PayloadEntity): Promise<BuildUnderLock>;
  /** The same against a transaction that was only signed for its caller, with which a cancellation competes. */
  quoteAgainst(row: OutgoingEntity, signed: SignedForCaller): Promise<BuildUnderLock>;
}

/** The part of an order to the signer that all families share: the requester, the grounds, the expiry and the key rows. */
export type OrderBase = Omit<SignTransferOrder, 'chainId' | 'intent' | 'nonce'>;

/** How a family requests the signature of its bytes. Throws `SignerRefused` as the signer does. */
export interface FamilySigning {
  sign(row: OutgoingEntity, payload: PayloadEntity, order: OrderBase): Promise<SignedTx>;
}

/** One check of a sender's lane. `isFrozen` is a function, called only when needed, because it reads the database. */
export type LaneLooking = {
  readonly db: Database;
  readonly readers: ReturnType<typeof createReaders>;
  readonly gateways: ReturnType<typeof createGateways>;
  readonly orgId: string;
  readonly lane: { readonly network: NetworkName; readonly address: string };
  readonly memory: LaneMemory | undefined;
  readonly isFrozen: () => Promise<boolean>;
};
