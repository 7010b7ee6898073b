import { z } from 'zod';
import { reachabilityOf } from '../../../application/policies/reachability';
import { OBSTACLES } from '../../../domain/reachability';
import { operation } from '../../http/operation';
import { PolicyParams } from './schemas';

const Group = z.object({
  group: z.int().describe('Its index among the groups of the policy, from 0'),
  name: z.string().optional(),
  quorum: z.int(),
  isForEveryone: z.boolean().describe('True if its quorum is out of reach for every initiator'),
  initiators: z
    .array(z.object({ userId: z.string(), name: z.string(), have: z.int().describe('People who could then approve') }))
    .describe('Initiators whose activities cannot reach the quorum'),
  hindered: z
    .array(z.object({ userId: z.string(), name: z.string(), obstacle: z.enum(OBSTACLES) }))
    .describe('People whom the group includes or names and who cannot approve today'),
});

/** Beyond the contract: an approval with an unreachable quorum holds its activity for ever. */
export const getPolicyReachability = operation({
  id: 'getPolicyReachability',
  method: 'get',
  path: '/v2/policies/:policyId/reachability',
  tag: 'policies',
  summary: "Read which initiators' activities this policy would hold for ever, and why",
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
        .describe('False for a policy that is archived or in `Shadow`, which is checked as if it were in force'),
      isReachable: z.boolean(),
      groups: z.array(Group.extend({ summary: z.string() })),
      warnings: z
        .array(
          z.object({
            id: z.string(),
            cause: z.string(),
            userId: z.string().optional(),
            dateCreated: z.iso.datetime(),
            groups: z.array(Group),
          }),
        )
        .describe('The latest changes that caused a warning because of this policy, newest first'),
    })
    .meta({ id: 'PolicyReachability' }),
  handle: ({ params, authority: { caller } }, { db }) => reachabilityOf(db.read(caller.orgId), caller.orgId, params.policyId),
});
