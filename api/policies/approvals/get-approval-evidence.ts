import { z } from 'zod';
import { getApprovalEvidence as get } from '../../../application/approvals/approvals';
import { operation } from '../../http/operation';
import { SignedAction } from '../../signed-action-schemas';
import { ApprovalParams } from './schemas';

/** An addition to the published interface: a tool of the approver verifies the signed digest with this data (S2). */
export const getApprovalEvidence = operation({
  id: 'getApprovalEvidence',
  method: 'get',
  path: '/v2/policy-approvals/:approvalId/evidence',
  tag: 'policies',
  summary: 'Read the evidence that a decision on this approval signs',
  description:
    "The challenge for a decision contains `digest`, so the approver's tool can compute the digest from `committed` and " +
    'compare the two digests before it signs. `committed` contains the content of the request, the versions of the policies, ' +
    'the groups with their approvers, and fingerprints of the credentials of these approvers. `requested` contains the request ' +
    'as the requester signed it, so that the tool can prove who requested exactly this content.',
  callers: ['CustomerEmployee', 'ServiceAccount'],
  permission: 'Policies:Approvals:Read',
  userAction: false,
  params: ApprovalParams,
  query: z.strictObject({}),
  body: z.undefined(),
  response: z.object({
    approvalId: z.string(),
    digest: z.string().describe('SHA-256 over `committed` as JSON with sorted members and no spaces, lower-case hex'),
    committed: z.record(z.string(), z.unknown()).nullable().describe('Null for approvals from earlier releases'),
    requested: SignedAction.nullable().describe(
      'The signed request; null for a request that the service made, for a transfer with travel rule data, and for every ' +
        'change except a change of a policy and the export of a key',
    ),
  }),
  handle: ({ params, authority }, { db, signedBodies }) => get(db.read(authority.caller.orgId), signedBodies, params.approvalId),
});
