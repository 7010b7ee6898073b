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
/** Ten years. */
const WAIT_MINUTES_MAX = 5_256_000;

const Id = z.string().min(1).max(64);
const Ids = z.array(Id).min(1).max(LIST_ENTRIES_MAX);
const Tags = z.array(z.string().min(1).max(TAG_LENGTH_MAX)).min(1).max(LIST_ENTRIES_MAX);

const Approvers = z.strictObject({ userId: z.strictObject({ in: Ids }).exactOptional() });
const waitMinutes = z.int().min(1).max(WAIT_MINUTES_MAX);

const ApprovalGroup = z.strictObject({
  name: z.string().max(GROUP_NAME_LENGTH_MAX).exactOptional(),
  quorum: z.int().min(1).max(QUORUM_MAX),
  approvers: Approvers,
  initiatorCanApprove: z.boolean().exactOptional(),
  serviceAccountsCanApprove: z.boolean().exactOptional(),
  escalation: z
    .strictObject({ afterMinutes: waitMinutes, approvers: Approvers })
    .exactOptional()
    .describe('Further people who may vote if the group has not reached its quorum after this time'),
});

const RequestApproval = z.strictObject({
  kind: z.literal('RequestApproval'),
  approvalGroups: z.array(ApprovalGroup).min(1).max(GROUPS_MAX),
  autoRejectTimeout: waitMinutes.nullable().exactOptional(),
  reminderAfterMinutes: waitMinutes.exactOptional().describe('When people who have not voted are reminded, once'),
});

const Block = z.strictObject({ kind: z.literal('Block') });
const NoAction = z.strictObject({ kind: z.literal('NoAction') });
const Action = z.discriminatedUnion('kind', [Block, RequestApproval]);
const SignAction = z.discriminatedUnion('kind', [Block, RequestApproval, NoAction]);
const ACTIONS = { All: SignAction, Stopping: Action, Asking: RequestApproval, Reporting: NoAction };

const WalletFilter = z.strictObject({
  walletId: z.strictObject({ in: Ids }).exactOptional(),
  walletTags: z.strictObject({ hasAny: Tags.exactOptional(), hasAll: Tags.exactOptional() }).exactOptional(),
});

const PermissionFilter = z.strictObject({ permissionId: z.strictObject({ in: Ids }) });
const PolicyFilter = z.strictObject({ policyId: z.strictObject({ in: Ids }) });
const FILTERS: Readonly<Record<(typeof ACTIVITIES)[ActivityKind]['filters'], z.ZodType<Plain<Filters>>>> = {
  Wallets: WalletFilter,
  Permissions: PermissionFilter,
  Policies: PolicyFilter,
  None: z.strictObject({}),
};

const RULES = { Signing: SignRule, Incoming: IncomingRule, Changes: AlwaysTrigger };

const common = {
  name: z.string().min(1).max(POLICY_NAME_LENGTH_MAX),
  mode: z.enum(POLICY_MODES).exactOptional().describe('In `Shadow` the policy is evaluated and recorded but stops nothing'),
};

/** Members of a policy on an activity of this kind; combinations that the specification lacks are not in the union. */
function membersOf(activityKind: ActivityKind) {
  const { rules, actions, filters, isPublished } = ACTIVITIES[activityKind];
  const kind = z.literal(activityKind);
  return {
    ...common,
    activityKind: isPublished ? kind : kind.describe('An addition of ours to the published activities'),
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

/** The body of a policy in a request. */
export const PolicyBody = ofEveryKind((members) => z.strictObject(members)).meta({ id: 'PolicyBody' });

export const PolicyStatus = z.enum(['Active', 'Archived']);

const record = { id: z.string(), status: PolicyStatus, dateCreated: z.iso.datetime(), dateUpdated: z.iso.datetime() };

export const Policy = ofEveryKind((members) => z.object({ ...record, ...members })).meta({ id: 'Policy' });

export const PolicyChangeRequest = changeRequestSchema('Policy', ['Update'], Policy);

export const PolicyWithPendingChange = ofEveryKind((members) =>
  z.object({ ...record, pendingChangeRequest: PolicyChangeRequest.exactOptional(), ...members }),
).meta({ id: 'PolicyWithPendingChange' });

export const PolicyParams = z.strictObject({ policyId: Id });

/** Omitted members take their defaults, as at creation: an update replaces the whole policy. */
export function contentOf({ mode = 'Enforce', filters, ...body }: z.output<typeof PolicyBody>): PolicyContent {
  return { ...body, mode, filters: filters ?? null };
}
