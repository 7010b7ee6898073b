import type { ChangeRequestEntity } from '../../entities/change-requests/change-request.entity';
import type { Reader } from '../../entities/database';
import type { FreezeEntity } from '../../entities/freezes/freeze.entity';
import { VerdictEntity } from '../../entities/policies/verdict.entity';
import type { Proofs } from '../approvals/countable-votes';
import { ALTERED, whyNotApproved } from '../approvals/what-was-approved';
import { changeEnvelopeOf } from '../change-requests/proposals';
import { verifyRecordedAction } from '../user-actions/recorded-actions';

/**
 * Returns undefined for a proven release. The requester of a proven release has signed a user action for this freeze. The release
 * also has the votes that the policies required, or a verdict that required no votes.
 */
export async function whyNotReleased(
  reader: Reader,
  { id, releaseActionId }: FreezeEntity,
  change: ChangeRequestEntity,
  proofs: Proofs,
): Promise<string | undefined> {
  const recorded = await verifyRecordedAction(reader, releaseActionId ?? '', proofs);
  if (recorded.kind !== 'Proven') return `Its release is unproven: ${recorded.reason}`;
  const { method, path, userId } = recorded.action;
  const isAsked = method === 'DELETE' && path.replace(/\/$/, '') === `/freezes/${id}` && userId === change.requesterUserId;
  const isOfThis = change.kind === 'Freeze' && change.entityId === id && change.change['releaseActionId'] === releaseActionId;
  if (!isAsked || !isOfThis || change.status !== 'Applied') return ALTERED.content;
  const { approvalId } = change;
  if (approvalId !== null) {
    return whyNotApproved(
      reader,
      { activityId: change.id, envelope: changeEnvelopeOf(change), approvalId, repeats: null },
      proofs,
    );
  }
  const cleared = await reader.row(VerdictEntity, `WHERE t.activity_id = $1 AND t.outcome = 'Cleared'`, [change.id]);
  return cleared ? undefined : ALTERED.verdict;
}
