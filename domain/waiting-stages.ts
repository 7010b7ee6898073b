import type { ChangeStatus } from './change-requests';
import type { SignatureState } from './signatures';
import type { TransferState } from './transfers';

/** Obstacles that no decision by a person can remove. Rows contain these names. */
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

/** Every change of state gives the record a new version, and an obstacle of an older version is obsolete. */
export type Blocker = {
  readonly kind: BlockerKind;
  readonly version: number;
  /** ISO 8601. */
  readonly since: string;
  /** An error code or a term of this service, never a text from a third party. */
  readonly detail: string | null;
};

/** The stages of a record. Every stage except `Ended` is a reason why the record waits. */
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
  'OfflineSigning',
  'Broadcasting',
  'Confirming',
  'Applying',
  'Ended',
] as const;
export type Stage = (typeof STAGES)[number];

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

/** The caller sends the signed transaction, so the state `Signed` is treated as an end. */
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

export const STAGE_OF_CHANGE: Readonly<Record<ChangeStatus, Stage>> = {
  Pending: 'Approval',
  Applied: 'Ended',
  Failed: 'Ended',
  Rejected: 'Ended',
};

export type Waits = {
  readonly version: number;
  readonly hindrance: Blocker | null;
  readonly isFrozen: boolean;
  readonly asks: Readonly<Record<'Screening' | 'TravelRule', boolean>>;
  /** Whether the record is held as an unconfirmed possible duplicate. */
  readonly isEqual: boolean;
  /** Whether the record waits for the signature of an offline device. */
  readonly isOffline: boolean;
  /** False between the approval and the next judgement. */
  readonly isJudged: boolean;
};

export function currentBlocker({ hindrance, version }: Pick<Waits, 'hindrance' | 'version'>): Blocker | undefined {
  return hindrance?.version === version ? hindrance : undefined;
}

/**
 * If the service has to act next, the first obstacle becomes the stage. Queries to vendors are considered only before the
 * signing. Before the signing, the recorded obstacle is considered only if the record has been judged. In `Confirming`, only the
 * recorded obstacle is considered.
 */
export function stageOf(base: Stage, waits: Waits): Stage {
  if (base === 'Confirming') return currentBlocker(waits)?.kind ?? base;
  if (!MOVING.includes(base)) return base;
  if (waits.isEqual) return 'EqualPayment';
  if (waits.isFrozen) return 'Frozen';
  const blocked = currentBlocker(waits)?.kind ?? base;
  if (base === 'Signing') return blocked === base && waits.isOffline ? 'OfflineSigning' : blocked;
  if (base === 'Broadcasting') return blocked;
  if (waits.asks.Screening) return 'Screening';
  if (waits.asks.TravelRule) return 'TravelRule';
  return waits.isJudged ? blocked : 'Judging';
}

/** Stages in which the service itself has to act next. */
const MOVING: readonly Stage[] = ['Judging', 'Preparing', 'Signing', 'Broadcasting'];
