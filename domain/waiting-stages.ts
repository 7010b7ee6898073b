import type { ChangeStatus } from './change-requests';
import type { SignatureState } from './signatures';
import type { TransferState } from './transfers';

/** Obstacles of a record that no decision can remove. Rows hold these words. */
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

/** Valid while the record is at this version; any change of its state removes it. */
export type Blocker = {
  readonly kind: BlockerKind;
  readonly version: number;
  /** ISO 8601: when it began. */
  readonly since: string;
  /** An error code or a word of the service, never a third party's text. */
  readonly detail: string | null;
};

/** The reason why a record waits, or its end. */
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

/** The stage of a transfer or transaction as far as its state shows it. */
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

/** Likewise for a request for a signature: the caller sends a signed transaction, so `Signed` is an end here. */
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

/** Likewise for a change request. */
export const STAGE_OF_CHANGE: Readonly<Record<ChangeStatus, Stage>> = {
  Pending: 'Approval',
  Applied: 'Ended',
  Failed: 'Ended',
  Rejected: 'Ended',
};

/** The known facts about a transfer, transaction or signature request, in addition to its state. */
export type Waits = {
  readonly version: number;
  readonly hindrance: Blocker | null;
  readonly isFrozen: boolean;
  /** A vendor has been asked and has not answered. */
  readonly asks: Readonly<Record<'Screening' | 'TravelRule', boolean>>;
  /** A suspected duplicate that is not confirmed yet. */
  readonly isEqual: boolean;
  /** False once people have approved but the record has not been judged again yet. */
  readonly isJudged: boolean;
};

/** The obstacle at exactly this version of the record. */
export function currentBlocker({ hindrance, version }: Pick<Waits, 'hindrance' | 'version'>): Blocker | undefined {
  return hindrance?.version === version ? hindrance : undefined;
}

/** The stage of the record: a freeze stops it in any state, vendors before it is judged, the rest from then on. */
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
