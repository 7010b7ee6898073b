import type { ChangeStatus } from './change-requests';
import type { SignatureState } from './signatures';
import type { TransferState } from './transfers';

/** Obstacles that no decision of people removes. Rows contain these words. */
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

/**
 * The obstacle of a record at one version of the record. Every change of state gives the record a new version, and an obstacle
 * of an older version is obsolete.
 */
export type Blocker = {
  readonly kind: BlockerKind;
  readonly version: number;
  /** When the obstacle began, as ISO 8601. */
  readonly since: string;
  /** An error code or a word of this service, never the text of a third party. */
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

/** The stage of a transfer or transaction that follows from its state alone. */
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

/**
 * The stage of a signature request that follows from its state alone. The caller sends the signed transaction, so the state
 * `Signed` counts as an end.
 */
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

/** The stage of a change request that follows from its status alone. */
export const STAGE_OF_CHANGE: Readonly<Record<ChangeStatus, Stage>> = {
  Pending: 'Approval',
  Applied: 'Ended',
  Failed: 'Ended',
  Rejected: 'Ended',
};

/** The known facts about a waiting transfer, transaction or signature request, in addition to its state. */
export type Waits = {
  readonly version: number;
  readonly hindrance: Blocker | null;
  readonly isFrozen: boolean;
  /** Whether questions to vendors are unanswered. */
  readonly asks: Readonly<Record<'Screening' | 'TravelRule', boolean>>;
  /** Whether the record is held as a possible duplicate that is not confirmed yet. */
  readonly isEqual: boolean;
  /** False between the approval and the next judgement. */
  readonly isJudged: boolean;
};

/** The obstacle, if it belongs to the current version of the record. */
export function currentBlocker({ hindrance, version }: Pick<Waits, 'hindrance' | 'version'>): Blocker | undefined {
  return hindrance?.version === version ? hindrance : undefined;
}

/**
 * The stage of a record. If the service has to act next, an obstacle becomes the stage. If there are several obstacles, the
 * first obstacle in this order counts: the hold of a possible duplicate, a freeze, an unanswered question to a vendor, the
 * recorded obstacle. Questions to vendors count only before the signing. Before the signing, the recorded obstacle counts only
 * if the record is judged. In the stage `Confirming`, only the recorded obstacle counts.
 */
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

/** Stages in which the service itself has to act next. */
const MOVING: readonly Stage[] = ['Judging', 'Preparing', 'Signing', 'Broadcasting'];
