import { z } from 'zod';
import { dryRun } from '../../../application/policies/dry-run';
import { ACTIVITIES, CHANGE_ACTIVITY_KINDS } from '../../../domain/policies';
import { operation } from '../../http/operation';

const Id = z.string().min(1).max(64);
const USD = /^(0|[1-9]\d{0,17})(\.\d{1,6})?$/;
const common = { initiatorId: Id.exactOptional().describe('The user who would request it; defaults to the caller') };

/** Change activities whose policies accept these filters and no others. */
const changesBy = (filters: 'Permissions' | 'Policies' | 'None') =>
  CHANGE_ACTIVITY_KINDS.filter((kind) => ACTIVITIES[kind].filters === filters);

const Activity = z
  .discriminatedUnion('activityKind', [
    z.strictObject({
      ...common,
      activityKind: z.literal('Wallets:Sign'),
      walletId: Id,
      to: z.string().min(1).max(256).exactOptional().describe('If absent, the recipient counts as unknown'),
      valueUsd: z
        .string()
        .regex(USD, 'must be dollars with at most six decimals')
        .exactOptional()
        .describe('Its value; if absent, the price counts as unknown'),
    }),
    z.strictObject({ ...common, activityKind: z.literal(changesBy('Permissions')), permissionId: Id }),
    z.strictObject({ ...common, activityKind: z.literal(changesBy('Policies')), policyId: Id }),
    z.strictObject({ ...common, activityKind: z.literal(changesBy('None')) }),
  ])
  .meta({ id: 'HypotheticalActivity' });

const Evaluations = z.array(
  z.object({ policyId: z.string(), policyName: z.string(), triggered: z.boolean(), reason: z.string() }),
);
const People = z.array(z.object({ userId: z.string(), name: z.string() }));
const Outcome = z.enum(['Cleared', 'Blocked', 'Held']);

export const evaluatePolicies = operation({
  id: 'evaluatePolicies',
  method: 'post',
  path: '/v2/policies/evaluate',
  tag: 'policies',
  summary:
    'Evaluate a hypothetical activity against the policies in force; no usage is counted, no vendor asked and no result stored',
  callers: ['CustomerEmployee', 'ServiceAccount'],
  permission: 'Policies:Evaluations:Read',
  userAction: false,
  params: z.strictObject({}),
  query: z.strictObject({}),
  body: Activity,
  response: z.object({
    outcome: Outcome.describe('If vendors would have to be asked, the outcome as if none of them responded'),
    evaluations: Evaluations,
    shadows: Evaluations.describe('The evaluations of policies in `Shadow`'),
    blockedBy: z.array(z.string()),
    groups: z.array(
      z.object({
        policyId: z.string(),
        name: z.string().nullable(),
        quorum: z.int(),
        canApprove: People,
        canOnlyDeny: People,
      }),
    ),
    autoRejectTimeoutMinutes: z.int().nullable(),
    wouldAsk: z.array(z.enum(['KytA', 'KytB', 'TravelRule'])),
    outcomeWhenVendorsFindNothing: Outcome.exactOptional(),
  }),
  handle: ({ body, authority }, { db }) => dryRun(db, authority.caller, body),
});
