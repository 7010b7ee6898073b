import { z } from 'zod';
import { changeRequestSchema } from '../../http/change-requests';

const POLICY_NAME_LENGTH_MAX = 100;
const GROUPS_MAX = 100;
const GROUP_NAME_LENGTH_MAX = 100;
const QUORUM_MAX = 100;
const LIST_ENTRIES_MAX = 100;
const WHITELIST_ADDRESSES_MAX = 10_000;
const ADDRESS_LENGTH_MAX = 256;
const TAG_LENGTH_MAX = 100;
/** Ten years. */
const AUTO_REJECT_MINUTES_MAX = 5_256_000;

const Id = z.string().min(1).max(64);
const Ids = z.array(Id).min(1).max(LIST_ENTRIES_MAX);
const Tags = z.array(z.string().min(1).max(TAG_LENGTH_MAX)).min(1).max(LIST_ENTRIES_MAX);

const AlwaysTrigger = z.strictObject({ kind: z.literal('AlwaysTrigger'), configuration: z.strictObject({}).exactOptional() });

const TransactionAmountLimit = z.strictObject({
  kind: z.literal('TransactionAmountLimit'),
  configuration: z.strictObject({ limit: z.int().positive(), currency: z.literal('USD') }),
});

const TransactionRecipientWhitelist = z.strictObject({
  kind: z.literal('TransactionRecipientWhitelist'),
  configuration: z.strictObject({
    addresses: z.array(z.string().min(1).max(ADDRESS_LENGTH_MAX)).max(WHITELIST_ADDRESSES_MAX),
  }),
});

const Rule = z.discriminatedUnion('kind', [AlwaysTrigger, TransactionAmountLimit, TransactionRecipientWhitelist]);

const ApprovalGroup = z.strictObject({
  name: z.string().max(GROUP_NAME_LENGTH_MAX).exactOptional(),
  quorum: z.int().min(1).max(QUORUM_MAX),
  approvers: z.strictObject({ userId: z.strictObject({ in: Ids }).exactOptional() }),
  initiatorCanApprove: z.boolean().exactOptional(),
  serviceAccountsCanApprove: z.boolean().exactOptional(),
});

const RequestApproval = z.strictObject({
  kind: z.literal('RequestApproval'),
  approvalGroups: z.array(ApprovalGroup).min(1).max(GROUPS_MAX),
  autoRejectTimeout: z.int().min(1).max(AUTO_REJECT_MINUTES_MAX).nullable().exactOptional(),
});

const Action = z.discriminatedUnion('kind', [z.strictObject({ kind: z.literal('Block') }), RequestApproval]);

const WalletFilter = z.strictObject({
  walletId: z.strictObject({ in: Ids }).exactOptional(),
  walletTags: z.strictObject({ hasAny: Tags.exactOptional(), hasAll: Tags.exactOptional() }).exactOptional(),
});

const PermissionFilter = z.strictObject({ permissionId: z.strictObject({ in: Ids }) });
const PolicyFilter = z.strictObject({ policyId: z.strictObject({ in: Ids }) });

const name = z.string().min(1).max(POLICY_NAME_LENGTH_MAX);
const walletsSign = {
  name,
  activityKind: z.literal('Wallets:Sign'),
  rule: Rule,
  action: Action,
  filters: WalletFilter.exactOptional(),
};
const onPermissions = { name, rule: AlwaysTrigger, action: Action, filters: PermissionFilter.exactOptional() };
const permissionsModify = { activityKind: z.literal('Permissions:Modify'), ...onPermissions };
const permissionsAssign = { activityKind: z.literal('Permissions:Assign'), ...onPermissions };
/** A policy that blocked every change of policies could not be taken back. */
const policiesModify = {
  name,
  activityKind: z.literal('Policies:Modify'),
  rule: AlwaysTrigger,
  action: RequestApproval,
  filters: PolicyFilter.exactOptional(),
};

/** A policy as it is written. Kinds that no part of this release can judge are refused, because a policy that never triggers protects nobody. */
export const PolicyBody = z
  .discriminatedUnion('activityKind', [
    z.strictObject(walletsSign),
    z.strictObject(permissionsModify),
    z.strictObject(permissionsAssign),
    z.strictObject(policiesModify),
  ])
  .meta({ id: 'PolicyBody' });

export const PolicyStatus = z.enum(['Active', 'Archived']);

const record = { id: z.string(), status: PolicyStatus, dateCreated: z.iso.datetime(), dateUpdated: z.iso.datetime() };

export const Policy = z
  .discriminatedUnion('activityKind', [
    z.object({ ...record, ...walletsSign }),
    z.object({ ...record, ...permissionsModify }),
    z.object({ ...record, ...permissionsAssign }),
    z.object({ ...record, ...policiesModify }),
  ])
  .meta({ id: 'Policy' });

export const PolicyChangeRequest = changeRequestSchema('Policy', ['Update'], Policy);

const waiting = { ...record, pendingChangeRequest: PolicyChangeRequest.exactOptional() };

export const PolicyWithPendingChange = z
  .discriminatedUnion('activityKind', [
    z.object({ ...waiting, ...walletsSign }),
    z.object({ ...waiting, ...permissionsModify }),
    z.object({ ...waiting, ...permissionsAssign }),
    z.object({ ...waiting, ...policiesModify }),
  ])
  .meta({ id: 'PolicyWithPendingChange' });

export const PolicyParams = z.strictObject({ policyId: Id });
