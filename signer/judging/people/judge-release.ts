import { ACTION_AGE_MS_MAX } from '../../../domain/anchors';
import { charterRequestAt } from '../../../domain/charter-requests';
import type { CharterInForce } from '../../charters/charter-in-force';
import type { ReleaseFreezeOrder } from '../../orders/freeze-orders';
import { refuseUnless } from '../../wire/refusal';
import { assertNotOlder, type Judging } from './action-age';
import { assertCounts, initiatingActionOf } from './signed-action';

/** Throws a `Refusal` unless a member of the charter with the right to release freezes has recently asked for this release. */
export function judgeRelease(charter: CharterInForce, { freezeId, evidence }: ReleaseFreezeOrder, judging: Judging): void {
  const action = initiatingActionOf(charter, evidence, judging);
  const asked = charterRequestAt(action);
  refuseUnless(asked?.kind === 'releaseFreeze' && asked.params['freezeId'] === freezeId, 'RequestMismatch');
  assertCounts(action, 'releaseFreeze');
  assertNotOlder(action, ACTION_AGE_MS_MAX.release, judging);
}
