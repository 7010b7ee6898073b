import type { Hold } from './judgements';
import { ACTIVITIES, type ActivityKind, type ChangeActivityKind, type Way } from './policies';

type ChangeFacts = {
  readonly activity: ChangeActivityKind;
  /** The name of the change, with its article, in mails to approvers. */
  readonly words: string;
  readonly ways: readonly Way[];
};

/**
 * The kinds of change requests. Clients use the names, so the names must not change. `Alias` is an entry of the address registry,
 * and `SmartContract` is the schema of a contract.
 */
export const CHANGES = {
  Permission: {
    activity: 'Permissions:Modify',
    words: 'a change of a permission',
    ways: [
      ['Permissions:Update', 'updatePermission'],
      ['Permissions:Archive', 'archivePermission'],
    ],
  },
  Assignment: {
    activity: 'Permissions:Assign',
    words: 'a change of who has a permission',
    ways: [
      ['Permissions:Assign', 'createAssignment'],
      ['Permissions:Revoke', 'deleteAssignment'],
    ],
  },
  Policy: {
    activity: 'Policies:Modify',
    words: 'a change of a policy',
    ways: [
      ['Policies:Update', 'updatePolicy'],
      ['Policies:Archive', 'archivePolicy'],
    ],
  },
  Freeze: {
    activity: 'Policies:Modify',
    words: 'the release of a freeze',
    ways: [['Freezes:Release', 'releaseFreeze']],
  },
  Alias: {
    activity: 'Registry:Addresses:Modify',
    words: 'a change of the address registry',
    ways: [
      ['Registry:Addresses:Create', 'createRegistryAddress'],
      ['Registry:Addresses:Update', 'updateRegistryAddress'],
      ['Registry:Addresses:Delete', 'deleteRegistryAddress'],
    ],
  },
  SmartContract: {
    activity: 'Registry:ContractSchemas:Modify',
    words: 'a change of the contract registry',
    ways: [
      ['Registry:ContractSchemas:Create', 'createContractSchema'],
      ['Registry:ContractSchemas:Delete', 'deleteContractSchema'],
    ],
  },
  KeyExport: {
    activity: 'Keys:Export',
    words: 'the export of a key',
    ways: [
      ['Keys:Export', 'exportKey'],
      ['Keys:Export', 'exportWallet'],
    ],
  },
  KeyImport: {
    activity: 'Keys:Import',
    words: 'the import of a key',
    ways: [
      ['Keys:Import', 'importKey'],
      ['Keys:Import', 'importWallet'],
    ],
  },
  KeyDelegation: {
    activity: 'Keys:Delegate',
    words: 'the delegation of a key to an end user',
    ways: [
      ['Keys:Delegate', 'delegateKey'],
      ['Keys:Delegate', 'delegateWallet'],
    ],
  },
  OrganizationSettings: {
    activity: 'Organizations:Modify',
    words: "a change of the organization's settings",
    ways: [['Orgs:Settings:Update', 'updateOrganizationSettings']],
  },
} as const satisfies Record<string, ChangeFacts>;

export type ChangeKind = keyof typeof CHANGES;
export type ChangeOperation = 'Create' | 'Update' | 'Delete';

export const CHANGE_STATUSES = ['Pending', 'Applied', 'Failed', 'Rejected'] as const;
export type ChangeStatus = (typeof CHANGE_STATUSES)[number];

export function waysOf(activity: ActivityKind): readonly Way[] {
  const facts = ACTIVITIES[activity];
  if ('ways' in facts) return facts.ways;
  return Object.values<ChangeFacts>(CHANGES).flatMap((change) => (change.activity === activity ? change.ways : []));
}

export type ChangeRef = { readonly orgId: string; readonly changeRequestId: string };

export type ChangeStanding =
  | ({ readonly outcome: 'Held' } & Hold)
  | { readonly outcome: 'Ended'; readonly status: Exclude<ChangeStatus, 'Pending'> };
