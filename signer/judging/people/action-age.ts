import { ACTION_AGE_MS_MAX, ACTION_LIFE_MS_MAX, ANCHOR_AGE_MS_MAX } from '../../../domain/anchors';
import { MINUTE_MS } from '../../../domain/durations';
import type { Anchors } from '../../record/anchors';
import { Refusal, refuseUnless } from '../../wire/refusal';
import { CLOCK_DRIFT_MS_MAX } from '../order-checks';

/**
 * The time from an action's anchor (a dated text that the signer made) to the last moment at which the service lets the action be
 * used.
 */
const USED_WITHIN_MS = ANCHOR_AGE_MS_MAX + ACTION_LIFE_MS_MAX + CLOCK_DRIFT_MS_MAX;

type Anchored = { readonly anchor?: string; readonly dateExpires: string };
/** The time of the judgement, and the anchors of the judging signer. */
export type Judging = { readonly nowMs: number; readonly anchors: Pick<Anchors, 'madeAtMs'> };

/**
 * The time of the action's anchor. Throws a `Refusal` unless this signer made the anchor, and the action expires soon after it.
 * An action with a distant expiry could be signed today and used on another day.
 */
export function anchoredAtMs({ anchor, dateExpires }: Anchored, { nowMs, anchors }: Judging): number {
  const timeMs = anchor === undefined ? undefined : anchors.madeAtMs(anchor);
  if (timeMs === undefined || timeMs > nowMs + CLOCK_DRIFT_MS_MAX) throw new Refusal('ActionNotAnchored');
  refuseUnless(Date.parse(dateExpires) <= timeMs + USED_WITHIN_MS, 'ActionMismatch');
  return timeMs;
}

/**
 * The maximum age of the signed actions on which an order depends, if the order waited for approval. The service counts the
 * time-out from the use of the initiating action, which may be up to `USED_WITHIN_MS` after the anchor of the action.
 */
export const heldAgeMsMax = (autoRejectTimeoutMinutes: number | null): number =>
  autoRejectTimeoutMinutes === null ? ACTION_AGE_MS_MAX.approved : USED_WITHIN_MS + autoRejectTimeoutMinutes * MINUTE_MS;

export function assertNotOlder(action: { readonly anchoredAtMs: number }, ageMsMax: number, { nowMs }: Judging): void {
  refuseUnless(nowMs - action.anchoredAtMs <= ageMsMax, 'ActionTooOld');
}
