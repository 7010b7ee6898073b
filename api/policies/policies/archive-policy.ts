import { z } from 'zod';
import { archivePolicy as archive } from '../../../application/policies/policies';
import { answerOfChange } from '../../http/change-requests';
import { operation } from '../../http/operation';
import { Policy, PolicyChangeRequest, PolicyParams } from './schemas';

export const archivePolicy = operation({
  id: 'archivePolicy',
  method: 'delete',
  path: '/v2/policies/:policyId',
  tag: 'policies',
  summary: 'Archive a policy permanently',
  description:
    'An archived policy no longer judges activities and cannot become active again; approvals that wait for one of its groups ' +
    'are denied and emit `policy.approval.resolved`. If a policy on `Policies:Modify` requires approval, the call returns 202 ' +
    'and the policy stays in force until the workflow `changeRequest` applies the approved change; `policy.triggered` and ' +
    '`policy.approval.pending` report the wait, and `policy.activity.resolved` reports its end. Repeating the call returns the ' +
    'archived policy unchanged; the call returns `ChangePending` (409) while another change of the policy waits.',
  callers: ['CustomerEmployee', 'ServiceAccount'],
  permission: 'Policies:Archive',
  userAction: true,
  params: PolicyParams,
  query: z.strictObject({}),
  body: z.strictObject({}).optional(),
  response: Policy,
  accepted: PolicyChangeRequest,
  handle: async ({ params, authority }, services) => answerOfChange(await archive(services, authority, params.policyId)),
});
