import type { CharterInForce } from '../../charters/charter-in-force';
import type { ReleaseFreezeOrder } from '../../orders/freeze-orders';
import { Refusal, refuseUnless } from '../../wire/refusal';
import { type ActionEvidence, signedActionOf } from './signed-action';

/** Throws a `Refusal` unless a member of the charter who may release freezes asked for this release. */
export function judgeRelease(charter: CharterInForce, { freezeId, evidence }: ReleaseFreezeOrder, nowMs: number): void {
  const initiator = evidence.find((one): one is ActionEvidence => one.kind === 'Initiator');
  if (!initiator) throw new Refusal('InitiatorMissing');
  const action = signedActionOf(charter, initiator, nowMs);
  // The service ignores a trailing slash.
  const path = action.path.replace(/\/$/, '');
  refuseUnless(action.method === 'DELETE' && path === `/freezes/${freezeId}`, 'RequestMismatch');
  refuseUnless(action.mayCall('releaseFreeze'), 'NotPermitted');
}
