import { z } from 'zod';
import type { Changed } from '../../application/change-requests/proposals';
import { CHANGE_STATUSES, type ChangeKind, type ChangeOperation } from '../../domain/change-requests';
import type { ChangeActivityKind } from '../../domain/policies';
import { Accepted } from './answer';

const ChangeRequestStatus = z.enum(CHANGE_STATUSES).meta({
  id: 'ChangeRequestStatus',
  description:
    'Pending: the change waits for approval; Applied: the change was made; Failed: the change was approved but could no longer be made; Rejected: a policy or an approver refused the change',
});

const ChangeRequester = z
  .object({
    userId: z.string(),
    tokenId: z.string().exactOptional().describe('ID of the bearer token of the request'),
  })
  .meta({ id: 'ChangeRequester' });

/** The part of a description that explains how policies on `activity` judge the change. */
export const aboutPolicies = (activity: ChangeActivityKind): string =>
  `Policies on \`${activity}\` judge the change: if a policy blocks the change, the call returns 403 \`PolicyBlocked\` (events ` +
  '`policy.triggered` and `policy.activity.resolved`); if a policy requests approval, it returns 202 (the same events, and ' +
  '`policy.approval.pending` and `policy.approval.resolved`). After a 202 the workflow `changeRequest` applies the change once ' +
  'the quorum is met, or ends it as `Rejected` or `Failed`; until that happens, further changes of the same record are refused ' +
  'with 409 `ChangePending`.';

/** `body` is the schema of the record after the change. */
export function changeRequestSchema<
  K extends ChangeKind,
  const O extends readonly [ChangeOperation, ...ChangeOperation[]],
  B extends z.ZodType,
>(kind: K, operationKinds: O, body: B) {
  return z
    .object({
      id: z.string(),
      requester: ChangeRequester,
      status: ChangeRequestStatus,
      entityId: z.string().describe('ID of the record that the change concerns'),
      dateCreated: z.iso.datetime(),
      dateResolved: z.iso.datetime().exactOptional().describe('Absent while it is Pending'),
      approvalId: z
        .string()
        .exactOptional()
        .describe('The approval that the change waits or waited for; absent if no policy requested one'),
      kind: z.literal(kind),
      operationKind: z.enum(operationKinds),
      body: body.describe('The record after the change'),
    })
    .meta({ id: `${kind}ChangeRequest` });
}

/** The changed record or, if the change waits for approval, 202 with its change request. */
export function answerOfChange<T>(changed: Changed<T>): T | Accepted {
  return 'value' in changed ? changed.value : new Accepted(changed.changeRequest);
}
