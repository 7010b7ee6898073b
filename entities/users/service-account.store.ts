import type { Reader, Tx } from '../database';
import { UserEntity } from './user.entity';
import type { AssignmentRow } from './user.store';

export type ServiceAccountRow = Pick<UserEntity, 'id' | 'orgId' | 'username' | 'name' | 'kind' | 'credentialUuid'> &
  Pick<UserEntity, 'isActive' | 'isServiceAccount' | 'isRegistered' | 'externalId' | 'dateArchived'> & {
    readonly tenantId: string | null;
    readonly assignments: readonly AssignmentRow[];
  };

const SELECT = `
  SELECT u.id, u.org_id AS "orgId", u.username, u.name, u.kind, u.credential_uuid AS "credentialUuid", u.is_active AS "isActive",
    u.is_service_account AS "isServiceAccount", u.is_registered AS "isRegistered", u.external_id AS "externalId",
    u.date_archived AS "dateArchived", coalesce(u.tenant_id, o.tenant_id) AS "tenantId",
    (SELECT coalesce(jsonb_agg(jsonb_build_object('assignmentId', a.id, 'permissionId', p.id, 'permissionName', p.name,
        'operations', p.operations) ORDER BY a.id), '[]')
     FROM permission_assignments a JOIN permissions p ON p.org_id = a.org_id AND p.id = a.permission_id AND p.status = 'Active'
     WHERE a.org_id = u.org_id AND a.user_id = u.id AND a.token_id IS NULL) AS assignments
  FROM users u JOIN organizations o ON o.id = u.org_id
  WHERE u.is_service_account`;

type Change = Partial<Pick<UserEntity, 'name' | 'externalId' | 'isActive' | 'dateArchived' | 'dateCredentialsChanged'>>;

export const serviceAccountStore = {
  /** Newest first, without archived accounts. */
  async list(reader: Reader): Promise<ServiceAccountRow[]> {
    return reader.select(`${SELECT} AND u.date_archived IS NULL ORDER BY u.id DESC`);
  },

  /** Also finds an archived account. */
  async find(reader: Reader, userId: string): Promise<ServiceAccountRow | undefined> {
    const [row] = await reader.select<ServiceAccountRow>(`${SELECT} AND u.id = $1`, [userId]);
    return row;
  },

  /** Undefined for an archived account. Other transactions can still write rows that refer to the locked row. */
  async lock(tx: Tx, userId: string): Promise<UserEntity | undefined> {
    return tx.row(UserEntity, 'WHERE t.id = $1 AND t.is_service_account AND t.date_archived IS NULL FOR NO KEY UPDATE', [userId]);
  },

  async change(tx: Tx, { id, version }: UserEntity, set: Change): Promise<void> {
    await tx.update(UserEntity, { id }, { ...set, version: version + 1 });
  },
};
