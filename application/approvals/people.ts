import { type Way, waysOf } from '../../domain/change-requests';
import { allows } from '../../domain/permissions';
import type { ActivityKind } from '../../domain/policies';
import { settingsOf } from '../../domain/settings';
import { clockOf } from '../../entities/clock';
import type { Reader } from '../../entities/database';
import { organizationStore } from '../../entities/organizations/organization.store';
import { permissionAssignmentStore } from '../../entities/permissions/permission-assignment.store';
import { UserEntity } from '../../entities/users/user.entity';
import type { People, Person } from '../../policy/reachability';
import { voterRules } from './voters';

/** How people ask for an activity of this kind; who may do none of it never waits for its approval. */
export const WAYS: Readonly<Record<ActivityKind, readonly Way[]>> = {
  'Wallets:Sign': [
    ['Wallets:Transfers:Create', 'transferAsset'],
    ['Wallets:Transactions:Create', 'broadcastTransaction'],
    ['Keys:Signatures:Create', 'keysGenerateSignature'],
  ],
  'Wallets:IncomingTransaction': [],
  'Permissions:Modify': waysOf('Permissions:Modify'),
  'Permissions:Assign': waysOf('Permissions:Assign'),
  'Policies:Modify': waysOf('Policies:Modify'),
  'Registry:Addresses:Modify': waysOf('Registry:Addresses:Modify'),
  'Registry:ContractSchemas:Modify': waysOf('Registry:ContractSchemas:Modify'),
  'Keys:Export': waysOf('Keys:Export'),
  'Keys:Import': waysOf('Keys:Import'),
  'Keys:Delegate': waysOf('Keys:Delegate'),
  'Organizations:Modify': waysOf('Organizations:Modify'),
};

/** What a decision on an approval asks of the one who makes it. */
export const VOTING: Way = ['Policies:Approvals:Approve', 'createApprovalDecision'];

/** What is known of people, with their names, and when it was asked. */
export type NamedPeople = People & { readonly names: ReadonlyMap<string, string>; readonly now: Date };

/** Everybody of the organisation, or only these, as this moment shows them: who may ask for what, and who may decide. */
export async function peopleNow(reader: Reader, orgId: string, among?: readonly string[]): Promise<NamedPeople> {
  const only = among ?? null;
  // Named beside the row policies, which show the operator of an upgrade every organisation.
  // One after the other: within a transaction they share its connection, which takes one question at a time.
  const users = await reader.rows(UserEntity, 'WHERE t.org_id = $1 AND ($2::text[] IS NULL OR t.id = ANY($2)) ORDER BY t.id', [
    orgId,
    only,
  ]);
  const granted = await permissionAssignmentStore.granted(reader, orgId, only);
  const organization = await organizationStore.row(reader, orgId);
  const now = await clockOf(reader);
  const { isCooling } = voterRules(organization.settings, now);
  const operationsOf = new Map(granted.map(({ userId, operations }) => [userId, new Set(operations)]));
  const all = users.map((user): [string, Person] => {
    const operations = operationsOf.get(user.id) ?? new Set<string>();
    const may = ([permission, operationId]: Way) => allows(operations, permission, operationId);
    const isEndUser = user.kind === 'EndUser';
    const kinds = Object.keys(WAYS) as ActivityKind[];
    return [
      user.id,
      {
        id: user.id,
        isRegistered: user.isRegistered,
        isServiceAccount: user.isServiceAccount,
        createdBy: user.createdBy,
        isCooling: isCooling(user),
        isEndUser,
        isActive: user.isActive,
        isArchived: user.dateArchived !== null,
        mayVote: may(VOTING),
        // End users sign with keys of their own, which policies leave alone.
        initiates: isEndUser ? [] : kinds.filter((kind) => WAYS[kind].some(may)),
      },
    ];
  });
  return {
    now,
    all: new Map(all),
    programsMayVote: settingsOf(organization.settings).serviceAccountsMayVote,
    names: new Map(users.map(({ id, name, username }) => [id, name === '' ? username : name])),
  };
}
