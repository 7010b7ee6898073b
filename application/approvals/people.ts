import { waysOf } from '../../domain/change-requests';
import { allows } from '../../domain/permissions';
import { ACTIVITY_KINDS, type Way } from '../../domain/policies';
import { settingsOf } from '../../domain/settings';
import { charterStore } from '../../entities/charters/charter.store';
import { clockOf } from '../../entities/clock';
import type { Reader } from '../../entities/database';
import { organizationStore } from '../../entities/organizations/organization.store';
import { permissionAssignmentStore } from '../../entities/permissions/permission-assignment.store';
import { UserEntity } from '../../entities/users/user.entity';
import type { People, Person } from '../../policy/reachability';
import { voterRules } from './voters';

export const VOTING: Way = ['Policies:Approvals:Approve', 'createApprovalDecision'];

export type NamedPeople = People & { readonly names: ReadonlyMap<string, string>; readonly now: Date };

/** Reads which activities each person may request, and who may decide on approvals. */
export async function peopleNow(reader: Reader, orgId: string, among?: readonly string[]): Promise<NamedPeople> {
  const only = among ?? null;
  // The queries specify the organisation, because an upgrade calls this function under a role that row-level security does not
  // restrict. The queries run one after another, because the queries of one transaction share one connection.
  const users = await reader.rows(UserEntity, 'WHERE t.org_id = $1 AND ($2::text[] IS NULL OR t.id = ANY($2)) ORDER BY t.id', [
    orgId,
    only,
  ]);
  const granted = await permissionAssignmentStore.granted(reader, orgId, only);
  const organization = await organizationStore.row(reader, orgId);
  const heard = await charterStore.voters(reader, orgId);
  const now = await clockOf(reader);
  const { isCooling } = voterRules(organization.settings, now);
  const operationsOf = new Map(granted.map(({ userId, operations }) => [userId, new Set(operations)]));
  const all = users.map((user): [string, Person] => {
    const operations = operationsOf.get(user.id) ?? new Set<string>();
    const may = ([permission, operationId]: Way) => allows(operations, permission, operationId);
    const isEndUser = user.kind === 'EndUser';
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
        isOutsideCharter: heard?.has(user.id) === false,
        // Policies do not judge the keys of end users, so an end user's activities never wait for an approval.
        initiates: isEndUser ? [] : ACTIVITY_KINDS.filter((kind) => waysOf(kind).some(may)),
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
