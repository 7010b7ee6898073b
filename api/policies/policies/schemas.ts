import { z } from 'zod';
import { type ActivityKind, POLICY_MODES } from '../../../domain/policies';
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
    .describe('Who may vote in this group as well when it has not reached its quorum after so long'),
});

const RequestApproval = z.strictObject({
  kind: z.literal('RequestApproval'),
  approvalGroups: z.array(ApprovalGroup).min(1).max(GROUPS_MAX),
  autoRejectTimeout: waitMinutes.nullable().exactOptional(),
  reminderAfterMinutes: waitMinutes.exactOptional().describe('When those who have not voted are reminded, once'),
});

const Block = z.strictObject({ kind: z.literal('Block') });
const NoAction = z.strictObject({ kind: z.literal('NoAction') });
const Action = z.discriminatedUnion('kind', [Block, RequestApproval]);
const SignAction = z.discriminatedUnion('kind', [Block, RequestApproval, NoAction]);

const WalletFilter = z.strictObject({
  walletId: z.strictObject({ in: Ids }).exactOptional(),
  walletTags: z.strictObject({ hasAny: Tags.exactOptional(), hasAll: Tags.exactOptional() }).exactOptional(),
});

const PermissionFilter = z.strictObject({ permissionId: z.strictObject({ in: Ids }) });
const PolicyFilter = z.strictObject({ policyId: z.strictObject({ in: Ids }) });

const common = {
  name: z.string().min(1).max(POLICY_NAME_LENGTH_MAX),
  mode: z.enum(POLICY_MODES).exactOptional().describe('In `Shadow` it is judged and recorded, and stops nothing'),
};

/** An activity without filters: the policy judges every one of its kind. */
const unfiltered = <const K extends ActivityKind>(activityKind: K) => ({
  ...common,
  activityKind: z.literal(activityKind),
  rule: AlwaysTrigger,
  action: Action,
  filters: z.strictObject({}).exactOptional(),
});

/** An activity that the published interface does not have. */
const own = <const K extends ActivityKind>(activityKind: K) => ({
  ...unfiltered(activityKind),
  activityKind: z.literal(activityKind).describe('An addition of ours to the published activities'),
});

const ofActivity = {
  walletsSign: {
    ...common,
    activityKind: z.literal('Wallets:Sign'),
    rule: SignRule,
    action: SignAction,
    filters: WalletFilter.exactOptional(),
  },
  walletsIncomingTransaction: {
    ...common,
    activityKind: z.literal('Wallets:IncomingTransaction'),
    rule: IncomingRule,
    action: NoAction,
    filters: WalletFilter.exactOptional(),
  },
  permissionsModify: {
    ...common,
    activityKind: z.literal('Permissions:Modify'),
    rule: AlwaysTrigger,
    action: Action,
    filters: PermissionFilter.exactOptional(),
  },
  permissionsAssign: {
    ...common,
    activityKind: z.literal('Permissions:Assign'),
    rule: AlwaysTrigger,
    action: Action,
    filters: PermissionFilter.exactOptional(),
  },
  // A policy that blocked every change of policies could not be taken back.
  policiesModify: {
    ...common,
    activityKind: z.literal('Policies:Modify'),
    rule: AlwaysTrigger,
    action: RequestApproval,
    filters: PolicyFilter.exactOptional(),
  },
  registryAddressesModify: unfiltered('Registry:Addresses:Modify'),
  registryContractSchemasModify: unfiltered('Registry:ContractSchemas:Modify'),
  keysExport: own('Keys:Export'),
  keysImport: own('Keys:Import'),
  keysDelegate: own('Keys:Delegate'),
  organizationsModify: own('Organizations:Modify'),
};

/** A policy as it is written. What the specification does not combine is no member of the union. */
export const PolicyBody = z
  .discriminatedUnion('activityKind', [
    z.strictObject(ofActivity.walletsSign),
    z.strictObject(ofActivity.walletsIncomingTransaction),
    z.strictObject(ofActivity.permissionsModify),
    z.strictObject(ofActivity.permissionsAssign),
    z.strictObject(ofActivity.policiesModify),
    z.strictObject(ofActivity.registryAddressesModify),
    z.strictObject(ofActivity.registryContractSchemasModify),
    z.strictObject(ofActivity.keysExport),
    z.strictObject(ofActivity.keysImport),
    z.strictObject(ofActivity.keysDelegate),
    z.strictObject(ofActivity.organizationsModify),
  ])
  .meta({ id: 'PolicyBody' });

export const PolicyStatus = z.enum(['Active', 'Archived']);

const record = { id: z.string(), status: PolicyStatus, dateCreated: z.iso.datetime(), dateUpdated: z.iso.datetime() };

export const Policy = z
  .discriminatedUnion('activityKind', [
    z.object({ ...record, ...ofActivity.walletsSign }),
    z.object({ ...record, ...ofActivity.walletsIncomingTransaction }),
    z.object({ ...record, ...ofActivity.permissionsModify }),
    z.object({ ...record, ...ofActivity.permissionsAssign }),
    z.object({ ...record, ...ofActivity.policiesModify }),
    z.object({ ...record, ...ofActivity.registryAddressesModify }),
    z.object({ ...record, ...ofActivity.registryContractSchemasModify }),
    z.object({ ...record, ...ofActivity.keysExport }),
    z.object({ ...record, ...ofActivity.keysImport }),
    z.object({ ...record, ...ofActivity.keysDelegate }),
    z.object({ ...record, ...ofActivity.organizationsModify }),
  ])
  .meta({ id: 'Policy' });

export const PolicyChangeRequest = changeRequestSchema('Policy', ['Update'], Policy);

const waiting = { ...record, pendingChangeRequest: PolicyChangeRequest.exactOptional() };

export const PolicyWithPendingChange = z
  .discriminatedUnion('activityKind', [
    z.object({ ...waiting, ...ofActivity.walletsSign }),
    z.object({ ...waiting, ...ofActivity.walletsIncomingTransaction }),
    z.object({ ...waiting, ...ofActivity.permissionsModify }),
    z.object({ ...waiting, ...ofActivity.permissionsAssign }),
    z.object({ ...waiting, ...ofActivity.policiesModify }),
    z.object({ ...waiting, ...ofActivity.registryAddressesModify }),
    z.object({ ...waiting, ...ofActivity.registryContractSchemasModify }),
    z.object({ ...waiting, ...ofActivity.keysExport }),
    z.object({ ...waiting, ...ofActivity.keysImport }),
    z.object({ ...waiting, ...ofActivity.keysDelegate }),
    z.object({ ...waiting, ...ofActivity.organizationsModify }),
  ])
  .meta({ id: 'PolicyWithPendingChange' });

export const PolicyParams = z.strictObject({ policyId: Id });

/** Whatever a body leaves out has the value that it has at creation: an update replaces the whole policy. */
export function contentOf({ mode = 'Enforce', filters, ...body }: z.output<typeof PolicyBody>): PolicyContent {
  return { ...body, mode, filters: filters ?? null };
}
