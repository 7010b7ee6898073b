import { z } from 'zod';
import { reachabilityOf } from '../../../application/policies/reachability';
import { OBSTACLES } from '../../../domain/reachability';
import { operation } from '../../http/operation';
import { PolicyParams } from './schemas';

const Group = z.object({
  group: z.int().describe('The index of the group in the policy, from 0'),
  name: z.string().optional(),
  quorum: z.int().describe('Approvals that the group requires'),
  isForEveryone: z.boolean().describe('True if the quorum is out of reach for every initiator'),
  initiators: z
    .array(
      z
        .object({ userId: z.string(), name: z.string(), have: z.int().describe('People who could then approve') })
        .meta({ id: 'UnreachableInitiator' }),
    )
    .describe('Initiators whose activities cannot reach the quorum'),
  hindered: z
    .array(
      z
        .object({ userId: z.string(), name: z.string(), obstacle: z.enum(OBSTACLES).describe('Why this user cannot approve') })
        .meta({ id: 'HinderedVoter' }),
    )
    .describe('People in the group who cannot approve at present'),
});

/** An addition to the published interface: an approval whose quorum cannot be reached may hold its activity for ever. */
export const getPolicyReachability = operation({
  id: 'getPolicyReachability',
  method: 'get',
  path: '/v2/policies/:policyId/reachability',
  tag: 'policies',
  summary: "Read which initiators' activities this policy would hold for ever, and why",
  description:
    'Checks every group of the policy against the users, credentials, permissions and settings of this moment, for each ' +
    'user who may request such an activity. An approval whose quorum is out of reach holds its activity until the approval ' +
    'is denied, is withdrawn or expires. A policy that requires no approval is always reachable.',
  callers: ['CustomerEmployee', 'ServiceAccount'],
  permission: 'Policies:Read',
  userAction: false,
  params: PolicyParams,
  query: z.strictObject({}),
  body: z.undefined(),
  response: z
    .object({
      policyId: z.string(),
      isInForce: z
        .boolean()
        .describe(
          'False for an archived policy, which is checked as if it were in force, and for a policy in `Shadow`, which does ' +
            'not hold activities',
        ),
      isReachable: z.boolean().describe('True if `groups` is empty'),
      groups: z
        .array(Group.extend({ summary: z.string().describe('The result in one sentence') }))
        .describe('Groups whose quorum is out of reach for some initiator'),
      warnings: z
        .array(
          z.object({
            id: z.string(),
            cause: z.string().describe('The change, such as `Update of Policy` with its id'),
            userId: z.string().optional().describe('The user who made the change; absent if no user made it'),
            dateCreated: z.iso.datetime(),
            groups: z.array(Group).describe('Groups whose quorum the change put out of reach'),
          }),
        )
        .describe('The latest 20 changes that caused a warning because of this policy, newest first'),
    })
    .meta({ id: 'PolicyReachability' }),
  handle: ({ params, authority: { caller } }, { db }) => reachabilityOf(db.read(caller.orgId), caller.orgId, params.policyId),
});
