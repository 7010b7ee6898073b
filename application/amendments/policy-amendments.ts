import { isAmendedActivity } from '../../domain/charters';
import type { ChangeRequestEntity } from '../../entities/change-requests/change-request.entity';
import type { Tx } from '../../entities/database';
import type { Policy } from '../../entities/policies/policy.store';
import { canonical } from '../../platform/canonical';
import { recordAmendment } from './record-amendment';

type Request = Pick<ChangeRequestEntity, 'id' | 'userActionId' | 'approvalId'>;

export async function amendByCreated(tx: Tx, policy: Policy, userActionId: string): Promise<void> {
  if (!isAmendedActivity(policy.activityKind)) return;
  const given = { policyId: policy.id, version: policy.version, groupIds: groupIdsOf(policy) };
  await recordAmendment(tx, { kind: 'createPolicy', userActionId, given });
}

export async function amendByChanged(tx: Tx, before: Policy, after: Policy, request: Request): Promise<void> {
  const { id, userActionId, approvalId } = request;
  if (userActionId === null || contentOf(before) === contentOf(after)) return;
  if (!isAmendedActivity(before.activityKind) && !isAmendedActivity(after.activityKind)) return;
  const approved = approvalId === null ? {} : { changeRequestId: id };
  const by = { userActionId, approvalId };
  if (after.status === 'Archived') await recordAmendment(tx, { kind: 'archivePolicy', ...by, given: approved });
  else {
    const given = { version: after.version, groupIds: groupIdsOf(after), ...approved };
    await recordAmendment(tx, { kind: 'updatePolicy', ...by, given });
  }
}

const contentOf = ({ name, activityKind, rule, action, filters, mode, status, version }: Policy): string =>
  canonical(JSON.parse(JSON.stringify({ name, activityKind, rule, action, filters, mode, status, version })));

const groupIdsOf = ({ action }: Policy): readonly string[] =>
  action.kind === 'RequestApproval' ? action.approvalGroups.map(({ id = '' }) => id) : [];
