import type { Reader, Tx } from '../database';
import { PermissionAssignmentEntity } from './permission-assignment.entity';

/** The holder of a permission: a user, or one of the user's tokens. */
export type Identity = { readonly userId: string; readonly tokenId: string | null };
type Granted = { readonly userId: string; readonly operations: readonly string[] };
type Page = { readonly permissionId: string; readonly after: string | undefined; readonly limit: number };

export const permissionAssignmentStore = {
  /** Returns false if the identity already has the permission. */
  async add(tx: Tx, assignment: Identity & Pick<PermissionAssignmentEntity, 'id' | 'permissionId'>): Promise<boolean> {
    return tx.insertOnce(PermissionAssignmentEntity, { orgId: tx.orgId, ...assignment });
  },

  async find(reader: Reader, permissionId: string, id: string): Promise<PermissionAssignmentEntity | undefined> {
    return reader.row(PermissionAssignmentEntity, 'WHERE t.id = $1 AND t.permission_id = $2', [id, permissionId]);
  },

  /** The holder must be exactly this identity. */
  async of(reader: Reader, permissionId: string, { userId, tokenId }: Identity): Promise<PermissionAssignmentEntity | undefined> {
    return reader.row(
      PermissionAssignmentEntity,
      'WHERE t.permission_id = $1 AND t.user_id = $2 AND t.token_id IS NOT DISTINCT FROM $3',
      [permissionId, userId, tokenId],
    );
  },

  /** Newest first, plus one row if there is a next page. */
  async page(reader: Reader, { permissionId, after, limit }: Page): Promise<PermissionAssignmentEntity[]> {
    return reader.rows(
      PermissionAssignmentEntity,
      'WHERE t.permission_id = $1 AND ($2::text IS NULL OR t.id < $2) ORDER BY t.id DESC LIMIT $3',
      [permissionId, after ?? null, limit + 1],
    );
  },

  /** Returns false if the assignment was already removed. */
  async remove(tx: Tx, id: string): Promise<boolean> {
    return (await tx.remove(PermissionAssignmentEntity, { id })) === 1;
  },

  /** A user who is not archived, or a token that was not removed. */
  async identity(reader: Reader, identityId: string): Promise<Identity | undefined> {
    const [found] = await reader.select<Identity>(
      `SELECT u.id AS "userId", NULL AS "tokenId" FROM users u WHERE u.id = $1 AND u.date_archived IS NULL
       UNION ALL
       SELECT t.user_id, t.id FROM access_tokens t JOIN users u ON u.org_id = t.org_id AND u.id = t.user_id
       WHERE t.id = $1 AND t.kind IN ('Pat', 'ServiceAccount') AND t.date_removed IS NULL AND u.date_archived IS NULL`,
      [identityId],
    );
    return found;
  },

  /** Excludes the permissions of the user's tokens. */
  async operationsOf(reader: Reader, userId: string): Promise<readonly string[]> {
    const rows = await reader.select<{ operation: string }>(
      `SELECT DISTINCT o.operation FROM permission_assignments a
       JOIN permissions p ON p.org_id = a.org_id AND p.id = a.permission_id AND p.status = 'Active'
       CROSS JOIN LATERAL jsonb_array_elements_text(p.operations) AS o (operation)
       WHERE a.user_id = $1 AND a.token_id IS NULL`,
      [userId],
    );
    return rows.map(({ operation }) => operation);
  },

  /** Each user's own operations, without the permissions of the user's tokens. If `among` is null, considers all users. */
  granted: (reader: Reader, orgId: string, among: readonly string[] | null): Promise<Granted[]> =>
    reader.select(
      `SELECT a.user_id AS "userId", array_agg(DISTINCT o.operation) AS operations FROM permission_assignments a
       JOIN permissions p ON p.org_id = a.org_id AND p.id = a.permission_id AND p.status = 'Active'
       CROSS JOIN LATERAL jsonb_array_elements_text(p.operations) AS o (operation)
       WHERE a.org_id = $1 AND a.token_id IS NULL AND ($2::text[] IS NULL OR a.user_id = ANY($2)) GROUP BY a.user_id`,
      [orgId, among],
    ),

  /** The token keeps only the permissions that are assigned to the token itself. */
  async restrict(tx: Tx, tokenId: string): Promise<void> {
    await tx.query('UPDATE access_tokens SET is_restricted = true WHERE org_id = $1 AND id = $2', [tx.orgId, tokenId]);
  },
};
