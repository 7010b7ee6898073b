import type { Reader } from '../database';
import type { UserEntity } from './user.entity';

export type AssignmentRow = {
  readonly assignmentId: string;
  readonly permissionId: string;
  readonly permissionName: string;
  readonly operations: readonly string[];
};
export type UserWithAssignments = UserEntity & { readonly assignments: readonly AssignmentRow[] };

const SELECT_USER = `
  SELECT u.org_id AS "orgId", u.id, u.username, u.name, u.kind, u.credential_uuid AS "credentialUuid", u.is_active AS "isActive",
    u.is_registered AS "isRegistered", u.is_service_account AS "isServiceAccount", u.date_created AS "dateCreated",
    u.is_sso_required AS "isSsoRequired", u.tenant_id AS "tenantId", u.external_id AS "externalId", u.created_by AS "createdBy",
    u.version, u.date_credentials_changed AS "dateCredentialsChanged", u.date_archived AS "dateArchived",
    (SELECT coalesce(jsonb_agg(jsonb_build_object('assignmentId', a.id, 'permissionId', p.id, 'permissionName', p.name,
        'operations', p.operations) ORDER BY a.id), '[]')
     FROM permission_assignments a JOIN permissions p ON p.org_id = a.org_id AND p.id = a.permission_id AND p.status = 'Active'
     WHERE a.org_id = u.org_id AND a.user_id = u.id AND a.token_id IS NULL) AS assignments
  FROM users u`;

type Page = { readonly kind: UserEntity['kind'] | undefined; readonly after: string | undefined; readonly limit: number };

export const userStore = {
  /** Newest first; one row more than the limit tells whether there is a next page. */
  async list(reader: Reader, { kind, after, limit }: Page): Promise<UserWithAssignments[]> {
    return reader.select(
      `${SELECT_USER}
       WHERE ($1::text IS NULL OR u.kind = $1) AND ($2::text IS NULL OR u.id < $2 COLLATE "C") ORDER BY u.id DESC LIMIT $3`,
      [kind ?? null, after ?? null, limit + 1],
    );
  },

  async find(reader: Reader, userId: string): Promise<UserWithAssignments | undefined> {
    const [row] = await reader.select<UserWithAssignments>(`${SELECT_USER} WHERE u.id = $1`, [userId]);
    return row;
  },
};
