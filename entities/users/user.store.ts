import type { Reader, Tx } from '../database';
import { UserEntity } from './user.entity';

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

type NewUser = Pick<UserEntity, 'id' | 'username' | 'name' | 'kind' | 'isRegistered' | 'isServiceAccount'> &
  Partial<Pick<UserEntity, 'externalId' | 'isSsoRequired' | 'createdBy' | 'tenantId' | 'credentialUuid'>>;
type Change = Partial<
  Pick<
    UserEntity,
    | 'isActive'
    | 'isRegistered'
    | 'credentialUuid'
    | 'isSsoRequired'
    | 'dateCredentialsChanged'
    | 'dateArchived'
    | 'kind'
    | 'tenantId'
  >
>;
type Page = { readonly kind: UserEntity['kind'] | undefined; readonly after: string | undefined; readonly limit: number };

export const userStore = {
  /** Newest first, plus one row if there is a next page. */
  async list(reader: Reader, { kind, after, limit }: Page): Promise<UserWithAssignments[]> {
    return reader.select(
      `${SELECT_USER}
       WHERE u.date_archived IS NULL AND ($1::text IS NULL OR u.kind = $1) AND ($2::text IS NULL OR u.id < $2 COLLATE "C") ORDER BY u.id DESC LIMIT $3`,
      [kind ?? null, after ?? null, limit + 1],
    );
  },

  /** Also finds an archived user. */
  async find(reader: Reader, userId: string): Promise<UserWithAssignments | undefined> {
    const [row] = await reader.select<UserWithAssignments>(`${SELECT_USER} WHERE u.id = $1`, [userId]);
    return row;
  },

  /** In any letter case, without archived users. */
  async findByUsername(reader: Reader, username: string): Promise<UserEntity | undefined> {
    return reader.row(UserEntity, 'WHERE lower(t.username) = lower($1) AND t.date_archived IS NULL', [username]);
  },

  /** Active, registered people whose own managed permissions include this operation. */
  withOperation: (reader: Reader, operation: string): Promise<Pick<UserEntity, 'id' | 'username' | 'isSsoRequired'>[]> =>
    reader.select(
      `SELECT DISTINCT u.id, u.username, u.is_sso_required AS "isSsoRequired" FROM users u
       JOIN permission_assignments a ON a.org_id = u.org_id AND a.user_id = u.id AND a.token_id IS NULL
       JOIN permissions p ON p.org_id = a.org_id AND p.id = a.permission_id
       WHERE p.is_managed AND p.status = 'Active' AND p.operations @> jsonb_build_array($1::text)
         AND u.is_active AND u.is_registered AND u.date_archived IS NULL AND NOT u.is_service_account`,
      [operation],
    ),

  /** Other transactions can still write rows that refer to the locked row. */
  async lock(tx: Tx, userId: string): Promise<UserEntity | undefined> {
    return tx.row(UserEntity, 'WHERE t.id = $1 FOR NO KEY UPDATE', [userId]);
  },

  /** Returns false if the name or the external id is taken. */
  async add(tx: Tx, user: NewUser): Promise<boolean> {
    return tx.insertOnce(UserEntity, { orgId: tx.orgId, isActive: true, ...user });
  },

  /** Changes the user and raises the version. */
  async change(tx: Tx, { id, version }: Pick<UserEntity, 'id' | 'version'>, set: Change): Promise<void> {
    await tx.update(UserEntity, { id }, { ...set, version: version + 1 });
  },

  /**
   * Deactivates the user's tokens, and voids open codes and challenges. A token that the user may reactivate stays inactive until
   * the user does so.
   */
  async endAccess(tx: Tx, userId: string): Promise<void> {
    const own = [tx.orgId, userId];
    await tx.query('UPDATE access_tokens SET is_active = false WHERE org_id = $1 AND user_id = $2 AND is_active', own);
    for (const table of ['one_time_codes', 'challenges']) {
      await tx.query(
        `UPDATE ${table} SET date_consumed = clock_timestamp() WHERE org_id = $1 AND user_id = $2 AND date_consumed IS NULL`,
        own,
      );
    }
  },
};
