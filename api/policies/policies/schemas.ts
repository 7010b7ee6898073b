import { z } from 'zod';
import type { Plain } from '../../../application/policies/view';
import { invariant } from '../../../domain/errors';
import { ACTIVITIES, ACTIVITY_KINDS, type ActivityKind, type Filters, POLICY_MODES } from '../../../domain/policies';
import type { PolicyContent } from '../../../entities/policies/policy.store';
import { changeRequestSchema } from '../../http/change-requests';
import { AlwaysTrigger, IncomingRule, SignRule } from './rule-schemas';

const POLICY_NAME_LENGTH_MAX = 100;
const GROUPS_MAX = 100;
const GROUP_NAME_LENGTH_MAX = 100;
const QUORUM_MAX = 100;
const LIST_ENTRIES_MAX = 100;
const TAG_LENGTH_MAX = 100;
/** Ten years of 365 days. */
const WAIT_MINUTES_MAX = 5_256_000;

const Id = z.string().min(1).max(64);
const Ids = z.array(Id).min(1).max(LIST_ENTRIES_MAX);
const Tags = z.array(z.string().min(1).max(TAG_LENGTH_MAX)).min(1).max(LIST_ENTRIES_MAX);

const Approvers = z.strictObject({ userId: z.strictObject({ in: Ids }).exactOptional() }).meta({
  id: 'Approvers',
  description:
    'Active users of the organisation, except end users. `{}` means every employee who has a credential when approval is ' +
    'requested',
});
const waitMinutes = z.int().min(1).max(WAIT_MINUTES_MAX);
const BEFORE_END = 'Minutes from the request for approval, at most ten years and fewer than `autoRejectTimeout`';

const Escalation = z
  .strictObject({ afterMinutes: waitMinutes.describe(BEFORE_END), approvers: Approvers })
  .meta({ id: 'ApprovalGroupEscalation', description: 'Further approvers of a group that has not reached its quorum by then' });

const ApprovalGroup = z
  .strictObject({
    name: z.string().max(GROUP_NAME_LENGTH_MAX).exactOptional(),
    quorum: z
      .int()
      .min(1)
      .max(QUORUM_MAX)
      .describe('The number of approvals; a person and the service accounts that this person created are one approver'),
    approvers: Approvers,
    initiatorCanApprove: z
      .boolean()
      .exactOptional()
      .describe(
        'Whether an approval by the initiator, or by a service account that belongs to the same person, is accepted; defaults ' +
          'to false',
      ),
    serviceAccountsCanApprove: z
      .boolean()
      .exactOptional()
      .describe(
        'Whether the service accounts in `approvers` may vote, provided that the setting `serviceAccountsMayVote` is on; defaults to false',
      ),
    escalation: Escalation.exactOptional(),
  })
  .meta({ id: 'ApprovalGroup', description: 'A group of people; a quorum of the group must approve' });

const RequestApproval = z
  .strictObject({
    kind: z.literal('RequestApproval'),
    approvalGroups: z.array(ApprovalGroup).min(1).max(GROUPS_MAX).describe('Every group must reach its quorum'),
    autoRejectTimeout: waitMinutes
      .nullable()
      .exactOptional()
      .describe(
        'Minutes, at most ten years, until the approval expires and the activity is rejected; null or absent means never',
      ),
    reminderAfterMinutes: waitMinutes.exactOptional().describe(`${BEFORE_END}. People who have not voted are then reminded once`),
  })
  .meta({ id: 'PolicyActionRequestApproval', description: 'Holds the activity until people have decided' });

const Block = z.strictObject({ kind: z.literal('Block') }).meta({ id: 'PolicyActionBlock', description: 'Rejects the activity' });
const NoAction = z
  .strictObject({ kind: z.literal('NoAction') })
  .meta({ id: 'PolicyActionNoAction', description: 'Reports the finding by `policy.triggered` and lets the activity continue' });
const Action = z
  .discriminatedUnion('kind', [Block, RequestApproval])
  .meta({ id: 'StoppingPolicyAction', description: 'Carried out if the rule triggers' });
const SignAction = z.discriminatedUnion('kind', [Block, RequestApproval, NoAction]).meta({
  id: 'SigningPolicyAction',
  description: 'Carried out if the rule triggers. `NoAction` requires a screening rule, and the travel rule requires `Block`',
});
const ACTIONS = { All: SignAction, Stopping: Action, Asking: RequestApproval, Reporting: NoAction };

const WalletTagFilter = z
  .strictObject({
    hasAny: Tags.exactOptional().describe('The wallet has at least one of these tags'),
    hasAll: Tags.exactOptional().describe('The wallet has all of these tags'),
  })
  .meta({ id: 'WalletTagFilter' });
const KeyStoreFilter = z
  .strictObject({
    in: Ids.exactOptional().describe('The key is in one of these key stores'),
    notIn: Ids.exactOptional().describe('The key is in none of these key stores'),
  })
  .meta({ id: 'KeyStoreFilter', description: 'Key stores of the organisation, by id' });
const WalletFilter = z
  .strictObject({
    walletId: z.strictObject({ in: Ids }).exactOptional().describe('Existing wallets; archived wallets are allowed'),
    walletTags: WalletTagFilter.exactOptional(),
    storeId: KeyStoreFilter.exactOptional(),
  })
  .meta({
    id: 'WalletFilters',
    description:
      'Limits the policy to activities of wallets that match every filter. Without filters the policy applies to all activities',
  });

const PermissionFilter = z
  .strictObject({ permissionId: z.strictObject({ in: Ids }) })
  .meta({ id: 'PermissionFilters', description: 'Limits the policy to changes of these permissions, which must exist' });
const PolicyFilter = z.strictObject({ policyId: z.strictObject({ in: Ids }) }).meta({
  id: 'PolicyFilters',
  description:
    'Limits the policy to changes of these policies, which must exist. The policy judges the release of a freeze in any case',
});
const NoFilter = z
  .strictObject({})
  .meta({ id: 'NoFilters', description: 'Must be empty: a policy with this kind of activity applies to every such activity' });
const FILTERS: Readonly<Record<(typeof ACTIVITIES)[ActivityKind]['filters'], z.ZodType<Plain<Filters>>>> = {
  Wallets: WalletFilter,
  Permissions: PermissionFilter,
  Policies: PolicyFilter,
  None: NoFilter,
};

const RULES = { Signing: SignRule, Incoming: IncomingRule, Changes: AlwaysTrigger };

const PolicyMode = z.enum(POLICY_MODES).meta({
  id: 'PolicyMode',
  description:
    'In `Shadow` the policy is evaluated and the result recorded, but the policy does not stop activities. If absent, `Enforce`',
});

const common = {
  name: z.string().min(1).max(POLICY_NAME_LENGTH_MAX),
  mode: PolicyMode.exactOptional(),
};

/** `ACTIVITIES` specifies which rules, actions and filters a policy may combine. */
function membersOf(activityKind: ActivityKind) {
  const { rules, actions, filters, isPublished } = ACTIVITIES[activityKind];
  const kind = z.literal(activityKind);
  return {
    ...common,
    activityKind: isPublished ? kind : kind.describe('An activity kind that the published interface does not have'),
    rule: RULES[rules],
    action: ACTIONS[actions],
    filters: FILTERS[filters].exactOptional(),
  };
}

type Members = ReturnType<typeof membersOf>;

function ofEveryKind<T extends z.ZodObject<Members>>(form: (members: Members) => T) {
  const [first, ...others] = ACTIVITY_KINDS.map((kind) => form(membersOf(kind)));
  invariant(first, 'policies judge some activity');
  return z.discriminatedUnion('activityKind', [first, ...others]);
}

export const PolicyBody = ofEveryKind((members) => z.strictObject(members)).meta({
  id: 'PolicyBody',
  description:
    'The content of a policy. `rule` decides whether the policy triggers on an activity of `activityKind`, `action` specifies ' +
    'what happens then, and `filters` select the activities to which the policy applies',
});

export const PolicyStatus = z.enum(['Active', 'Archived']).meta({ id: 'PolicyStatus' });

const record = { id: z.string(), status: PolicyStatus, dateCreated: z.iso.datetime(), dateUpdated: z.iso.datetime() };

export const Policy = ofEveryKind((members) => z.object({ ...record, ...members })).meta({
  id: 'Policy',
  description: 'A policy with the content of its last change',
});

export const PolicyChangeRequest = changeRequestSchema('Policy', ['Update'], Policy);

export const PolicyWithPendingChange = ofEveryKind((members) =>
  z.object({ ...record, pendingChangeRequest: PolicyChangeRequest.exactOptional(), ...members }),
).meta({
  id: 'PolicyWithPendingChange',
  description: 'A policy with the content in force, and its update or archival that waits for approval',
});

export const PolicyParams = z.strictObject({ policyId: Id });

/** Omitted members take their defaults in an update too, because an update replaces the whole policy. */
export function contentOf({ mode = 'Enforce', filters, ...body }: z.output<typeof PolicyBody>): PolicyContent {
  return { ...body, mode, filters: filters ?? null };
}
