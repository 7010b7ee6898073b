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

/** Something of the chain that no other live transaction may use: of an account's nonces one, of its coins some. `key` is unique on a network and per kind. */
export type NewClaim = Pick<ClaimEntity, 'kind' | 'key' | 'lane' | 'value'>;

/** What a family says under the lane's lock of a transfer that is to be signed. */
export type BuildOutcome =
  /** Its turn comes later. `queued` keeps its place among those that wait. */
  | { readonly kind: 'Waits'; readonly detail: Blocker['detail']; readonly queued: boolean }
  /** Others were faster, so that the network has to be asked for something that it was not asked for before. */
  | { readonly kind: 'AskAgain' }
  /** The network asks for more than was approved, and may ask for less again. */
  | { readonly kind: 'FeeAboveCeiling' }
  | {
      readonly kind: 'Built';
      readonly unsigned: UnsignedBytes;
      readonly nonce: number | null;
      readonly claims: readonly NewClaim[];
      /** Whatever is needed beside the bytes to have them signed and to put the signatures into place. */
      readonly context: PayloadEntity['context'];
      /** Shown with the request from then on; left out for nothing. */
      readonly noted?: BuiltOptions;
      /** By which the chain names the operation that counts in it; left out where the transaction itself does. */
      readonly operationHash?: string;
      /** Done behind the claims, under the same lock. */
      readonly after?: (tx: Tx) => Promise<void>;
    };

/** How a family turns an approved transfer into bytes. */
export interface FamilyPreparation {
  /**
   * Asks the network before any lock is taken, and answers what goes on under the lane's. The answered function takes no claim itself and may run
   * in a transaction that is rolled back. Either throws `TransferWouldFail` for what can never be sent.
   */
  quote(row: OutgoingEntity): Promise<BuildUnderLock>;
}

/** What goes on under the lane's lock after the network was asked. */
export type BuildUnderLock = (tx: Tx, row: OutgoingEntity) => Promise<BuildOutcome>;

/** What was signed for a caller, with the id that its transaction has in a block where it is known. */
export type SignedForCaller = Pick<SignatureEntity, 'payload' | 'filledHex' | 'nonce' | 'txHash'>;

/**
 * How a family builds bytes that compete with others. `row.replacementKind` says whether they do the same for a higher fee or nothing but use up what
 * `rival` would have used; `rival` is the payload with which the row competes, signed or only built. The claims that both share stay where they are
 * (`row.claimsOf`): the answered ones come on top. At least one of those that `rival` uses up must be used again, because otherwise both could be
 * carried out (S7), and the answer must find it still open. Throws `TransferWouldFail` for what can never take the other's place.
 */
export interface FamilyReplacement {
  quote(row: OutgoingEntity, rival: PayloadEntity): Promise<BuildUnderLock>;
  /** The same for a transaction that was only signed for its caller, with which a cancellation competes. */
  quoteAgainst(row: OutgoingEntity, signed: SignedForCaller): Promise<BuildUnderLock>;
}

/** Of an order to the signer what is alike in every family: who asks, on what grounds, until when, and with which key rows. */
export type OrderBase = Omit<SignTransferOrder, 'chainId' | 'intent' | 'nonce'>;

/** How a family has its bytes signed. Throws `SignerRefused` as the signer does. */
export interface FamilySigning {
  sign(row: OutgoingEntity, payload: PayloadEntity, order: OrderBase): Promise<SignedTx>;
}

/** One look at a sender's lane. `isFrozen` is asked for where it matters, because it reads the database. */
export type LaneLooking = {
  readonly db: Database;
  readonly readers: ReturnType<typeof createReaders>;
  readonly gateways: ReturnType<typeof createGateways>;
  readonly orgId: string;
  readonly lane: { readonly network: NetworkName; readonly address: string };
  readonly memory: LaneMemory | undefined;
  readonly isFrozen: () => Promise<boolean>;
};
