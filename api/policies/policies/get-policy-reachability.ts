import { z } from 'zod';
import { reachabilityOf } from '../../../application/policies/reachability';
import { OBSTACLES } from '../../../domain/reachability';
import { operation } from '../../http/operation';
import { PolicyParams } from './schemas';

const Group = z.object({
  group: z.int().describe('Its place among the groups of the policy, from 0'),
  name: z.string().optional(),
  quorum: z.int(),
  isForEveryone: z.boolean().describe('True when it cannot be reached whoever asks'),
  initiators: z
    .array(z.object({ userId: z.string(), name: z.string(), have: z.int().describe('People who could approve then') }))
    .describe('Whose activities nobody can bring to the quorum'),
  hindered: z
    .array(z.object({ userId: z.string(), name: z.string(), obstacle: z.enum(OBSTACLES) }))
    .describe('Whom the group takes or names, and who cannot approve today'),
});

/** Beyond the contract: an approval that nobody can reach holds its activity for ever. */
export const getPolicyReachability = operation({
  id: 'getPolicyReachability',
  method: 'get',
  path: '/v2/policies/:policyId/reachability',
  tag: 'policies',
  summary: 'Read whose activities this policy would hold for ever, and why',
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
        .describe('False for a policy that is archived or in `Shadow`, which is judged as if it were in force'),
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
        .describe('The latest changes that were warned of because of this policy, newest first'),
    })
    .meta({ id: 'PolicyReachability' }),
  handle: ({ params, authority: { caller } }, { db }) => reachabilityOf(db.read(caller.orgId), caller.orgId, params.policyId),
});
