import { z } from 'zod';
import { updatePolicy as update } from '../../../application/policies/policies';
import { answerOfChange } from '../../http/change-requests';
import { operation } from '../../http/operation';
import { contentOf, Policy, PolicyBody, PolicyChangeRequest, PolicyParams } from './schemas';

export const updatePolicy = operation({
  id: 'updatePolicy',
  method: 'put',
  path: '/v2/policies/:policyId',
  tag: 'policies',
  summary: 'Replace the content of an active policy',
  description:
    'The body replaces the whole content: members that it omits, including `mode`, take their defaults. The update takes ' +
    'effect at once unless a policy on `Policies:Modify` requires approval; in that case the call returns 202 and emits ' +
    '`policy.triggered` and `policy.approval.pending`, and the workflow `changeRequest` applies the update once every group ' +
    'has its quorum, or ends it as `Rejected` or `Failed`, with `policy.approval.resolved` and `policy.activity.resolved`. If ' +
    'the policy no longer requires a group, a waiting approval of that group is denied; every other waiting activity is judged ' +
    'by the new content before it is signed. The call returns `WrongState` (409) for an archived policy, `ChangePending` (409) ' +
    'while another change of the policy waits, and `InvalidRequest` (400) or `Unreachable` (409) in the same cases as ' +
    '`createPolicy`.',
  callers: ['CustomerEmployee', 'ServiceAccount'],
  permission: 'Policies:Update',
  userAction: true,
  params: PolicyParams,
  query: z.strictObject({}),
  body: PolicyBody,
  response: Policy,
  accepted: PolicyChangeRequest,
  handle: async ({ params, body, authority }, services) =>
    answerOfChange(await update(services, authority, params.policyId, contentOf(body))),
});
