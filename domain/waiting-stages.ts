import type { ChangeStatus } from './change-requests';
import type { SignatureState } from './signatures';
import type { TransferState } from './transfers';

/** What keeps a record from going on although nobody has to decide anything. Rows hold these words. */
export const BLOCKERS = [
  'LaneTurn',
  'FeesAboveCeiling',
  'NetworkUnavailable',
  'SignerUnavailable',
  'Retrying',
  'StoppedForOperator',
  'LaneBlocked',
] as const;
export type BlockerKind = (typeof BLOCKERS)[number];

/** Counts while the record stands at this version; whatever moves the record on takes it away with that. */
export type Blocker = {
  readonly kind: BlockerKind;
  readonly version: number;
  /** ISO 8601: when it began. */
  readonly since: string;
  /** An error code or a word of ours, never what somebody else wrote. */
  readonly detail: string | null;
};

/** What a record waits for, or that it has ended. */
export const STAGES = [
  'EqualPayment',
  'Judging',
  'Screening',
  'TravelRule',
  'Approval',
  'Frozen',
  'Preparing',
  ...BLOCKERS,
  'Signing',
  'Broadcasting',
  'Confirming',
  'Applying',
  'Ended',
] as const;
export type Stage = (typeof STAGES)[number];

/** What a transfer or transaction waits for as far as its state alone tells. */
export const STAGE_OF_TRANSFER: Readonly<Record<TransferState, Stage>> = {
  Requested: 'Judging',
  AwaitingApproval: 'Approval',
  Approved: 'Preparing',
  Signing: 'Signing',
  Signed: 'Broadcasting',
  Broadcasted: 'Confirming',
  Confirmed: 'Ended',
  Failed: 'Ended',
  Rejected: 'Ended',
};

/** Likewise a request for a signature: whoever asked for a transaction's sends it, so that `Signed` is an end here. */
export const STAGE_OF_SIGNATURE: Readonly<Record<SignatureState, Stage>> = {
  Requested: 'Judging',
  AwaitingApproval: 'Approval',
  Approved: 'Preparing',
  Signing: 'Signing',
  Signed: 'Ended',
  Confirmed: 'Ended',
  Failed: 'Ended',
  Rejected: 'Ended',
};

/** Likewise a change request. */
export const STAGE_OF_CHANGE: Readonly<Record<ChangeStatus, Stage>> = {
  Pending: 'Approval',
  Applied: 'Ended',
  Failed: 'Ended',
  Rejected: 'Ended',
};

/** What is known of a transfer, transaction or signature request beside its state. */
export type Waits = {
  readonly version: number;
  readonly hindrance: Blocker | null;
  readonly isFrozen: boolean;
  /** A vendor has been asked and has not answered. */
  readonly asks: Readonly<Record<'Screening' | 'TravelRule', boolean>>;
  /** Another one pays the same, and nobody has said that this one is meant besides. */
  readonly isEqual: boolean;
  /** False once people have approved what was not judged again yet. */
  readonly isJudged: boolean;
};

/** What keeps the record at this very version. */
export function currentBlocker({ hindrance, version }: Pick<Waits, 'hindrance' | 'version'>): Blocker | undefined {
  return hindrance?.version === version ? hindrance : undefined;
}

/** What the record waits for: a freeze keeps it wherever it is, vendors before it is judged, the rest from then on. */
export function stageOf(base: Stage, waits: Waits): Stage {
  if (base === 'Confirming') return currentBlocker(waits)?.kind ?? base;
  if (!MOVING.includes(base)) return base;
  if (waits.isEqual) return 'EqualPayment';
  if (waits.isFrozen) return 'Frozen';
  const blocked = currentBlocker(waits)?.kind ?? base;
  if (base === 'Signing' || base === 'Broadcasting') return blocked;
  if (waits.asks.Screening) return 'Screening';
  if (waits.asks.TravelRule) return 'TravelRule';
  return waits.isJudged ? blocked : 'Judging';
}

/** Stages in which the service itself has the next move. */
const MOVING: readonly Stage[] = ['Judging', 'Preparing', 'Signing', 'Broadcasting'];
