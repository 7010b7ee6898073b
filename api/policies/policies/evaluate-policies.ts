import { z } from 'zod';
import { dryRun } from '../../../application/policies/dry-run';
import { ACTIVITIES, CHANGE_ACTIVITY_KINDS } from '../../../domain/policies';
import { operation } from '../../http/operation';

const Id = z.string().min(1).max(64);
const USD = /^(0|[1-9]\d{0,17})(\.\d{1,6})?$/;
const common = { initiatorId: Id.exactOptional().describe('The user who would request the activity; defaults to the caller') };

/** The change activities whose policies accept exactly this kind of filter. */
const changesBy = (filters: 'Permissions' | 'Policies' | 'None') =>
  CHANGE_ACTIVITY_KINDS.filter((kind) => ACTIVITIES[kind].filters === filters);

const Activity = z
  .discriminatedUnion('activityKind', [
    z.strictObject({
      ...common,
      activityKind: z.literal('Wallets:Sign'),
      walletId: Id,
      to: z
        .string()
        .min(1)
        .max(256)
        .exactOptional()
        .describe(
          'The address of the recipient; if absent, the recipient is treated as unknown. Not allowed for a wallet on a ' +
            'network without a chain (such as `KeyECDSA`)',
        ),
      valueUsd: z
        .string()
        .regex(USD, 'must be dollars with at most six decimals')
        .exactOptional()
        .describe('Decimal dollars with at most six decimals; if absent, the value is treated as unknown'),
    }),
    z.strictObject({
      ...common,
      activityKind: z.literal(changesBy('Permissions')),
      permissionId: Id.describe('The permission that would be changed, assigned or revoked'),
    }),
    z.strictObject({
      ...common,
      activityKind: z.literal(changesBy('Policies')),
      policyId: Id.describe('The policy that would be changed'),
    }),
    z.strictObject({ ...common, activityKind: z.literal(changesBy('None')) }),
  ])
  .meta({ id: 'HypotheticalActivity' });

const Evaluations = z.array(
  z
    .object({
      policyId: z.string(),
      policyName: z.string(),
      triggered: z.boolean(),
      reason: z.string().describe('Why the rule triggers or does not trigger, as text for people'),
    })
    .meta({ id: 'HypotheticalEvaluation', description: 'The finding of one policy about a hypothetical activity' }),
);
const People = z.array(z.object({ userId: z.string(), name: z.string() }).meta({ id: 'Voter' }));
const Outcome = z
  .enum(['Cleared', 'Blocked', 'Held'])
  .meta({ id: 'PolicyOutcome', description: '`Cleared` continues, `Held` waits for approval, `Blocked` is rejected' });

export const evaluatePolicies = operation({
  id: 'evaluatePolicies',
  method: 'post',
  path: '/v2/policies/evaluate',
  tag: 'policies',
  summary: 'Evaluate a hypothetical activity against the policies in force',
  description:
    'Returns the outcome, the finding of every policy that applies, and the groups whose approval would be required, with the ' +
    'people who could decide now. The operation does not count usage, query vendors or store anything. The caller specifies ' +
    'the value, because the operation does not look up prices. Velocity windows include the current usage and this activity. ' +
    'The call returns `InvalidRequest` (400) if the organisation does not have the wallet, user, permission or policy, or if ' +
    'the recipient is not an address on the network.',
  callers: ['CustomerEmployee', 'ServiceAccount'],
  permission: 'Policies:Evaluations:Read',
  userAction: false,
  params: z.strictObject({}),
  query: z.strictObject({}),
  body: Activity,
  response: z.object({
    outcome: Outcome.describe('The outcome; if vendors would have to be queried, the outcome if none of them responded'),
    evaluations: Evaluations.describe('One entry for each enforced policy that applies'),
    shadows: Evaluations.describe('The evaluations of policies in `Shadow`'),
    blockedBy: z.array(z.string()).describe('Ids of the policies that block; empty unless the outcome is `Blocked`'),
    groups: z
      .array(
        z.object({
          policyId: z.string(),
          name: z.string().nullable().describe('Null if the group has no name'),
          quorum: z.int(),
          canApprove: People.describe('Excludes people who join by escalation'),
          canOnlyDeny: People.describe(
            'The initiator, service accounts that belong to the same person, and users whose account or credentials are too new',
          ),
        }),
      )
      .describe('Empty unless the outcome is `Held`'),
    autoRejectTimeoutMinutes: z
      .int()
      .nullable()
      .describe('The shortest time-out of the policies that require approval; null if the approval would not expire'),
    wouldAsk: z.array(z.enum(['KytA', 'KytB', 'TravelRule'])).describe('Vendors that a real activity would wait for'),
    outcomeWhenVendorsFindNothing: Outcome.exactOptional().describe(
      'The outcome if every vendor responds and has no objection; absent if no vendor would be queried',
    ),
  }),
  handle: ({ body, authority }, { db }) => dryRun(db, authority.caller, body),
});
