import { z } from 'zod';
import { explainApproval as explain } from '../../../application/explain/records';
import { Explanation } from '../../explanation-schemas';
import { operation } from '../../http/operation';
import { ApprovalParams } from './schemas';

/** An addition to the published interface: callers need the operation to learn why a request waits. */
export const explainApproval = operation({
  id: 'explainApproval',
  method: 'get',
  path: '/v2/policy-approvals/:approvalId/explain',
  tag: 'policies',
  summary: 'Explain why the activity of an approval waits, and the consequence of each decision',
  description:
    'Returns the reason for the wait as data and in sentences: the facts that were judged, the findings of the policies, ' +
    'what each person of each group can still do, and the consequence of each decision under `next`. For an approval that ' +
    'has ended, the response explains the state that the activity has reached.',
  callers: ['CustomerEmployee', 'ServiceAccount'],
  permission: 'Policies:Approvals:Read',
  userAction: false,
  params: ApprovalParams,
  query: z.strictObject({}),
  body: z.undefined(),
  response: Explanation,
  handle: ({ params, authority }, { db }) => explain(db.read(authority.caller.orgId), params.approvalId),
});
