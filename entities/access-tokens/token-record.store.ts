import type { Reader, Tx } from '../database';
import type { AssignmentRow } from '../users/user.store';
import { AccessTokenEntity } from './access-token.entity';

/** A token that signs with its own key. */
export type TokenRecord = {
  readonly id: string;
  readonly orgId: string;
  readonly userId: string;
  readonly kind: 'Pat' | 'ServiceAccount';
  readonly name: string;
  readonly dateCreated: Date;
  readonly credId: string;
  readonly publicKey: string;
  /** True if the token is valid now, by the database's clock. */
  readonly isUsable: boolean;
  readonly isExpired: boolean;
  /** The permissions of a restricted token; for any other token, the permissions of its user. */
  readonly assignments: readonly AssignmentRow[];
};

const SELECT = `
  SELECT t.id, t.org_id AS "orgId", t.user_id AS "userId", t.kind, t.name, t.date_created AS "dateCreated",
    c.credential_id AS "credId", c.public_key AS "publicKey", t.date_expires <= clock_timestamp() AS "isExpired",
    t.is_active AND t.date_removed IS NULL AND u.is_active AND t.date_expires > clock_timestamp() AS "isUsable",
    (SELECT coalesce(jsonb_agg(jsonb_build_object('assignmentId', a.id, 'permissionId', p.id, 'permissionName', p.name,
        'operations', p.operations) ORDER BY a.id), '[]')
     FROM permission_assignments a JOIN permissions p ON p.org_id = a.org_id AND p.id = a.permission_id AND p.status = 'Active'
     WHERE a.org_id = t.org_id AND a.user_id = t.user_id
       AND CASE WHEN t.is_restricted THEN a.token_id = t.id ELSE a.token_id IS NULL END) AS assignments
  FROM access_tokens t
  JOIN users u ON u.org_id = t.org_id AND u.id = t.user_id
  JOIN credentials c ON c.org_id = t.org_id AND c.id = t.credential_id`;

type Change = Partial<Pick<AccessTokenEntity, 'name' | 'externalId' | 'isActive'>>;

export const tokenRecordStore = {
  /** Newest first. */
  async listPersonal(reader: Reader, userId: string): Promise<TokenRecord[]> {
    return reader.select(`${SELECT} WHERE t.user_id = $1 AND t.kind = 'Pat' AND t.date_removed IS NULL ORDER BY t.id DESC`, [
      userId,
    ]);
  },

  /** Undefined if the token was removed or belongs to another user. */
  async findPersonal(reader: Reader, userId: string, tokenId: string): Promise<TokenRecord | undefined> {
    const [record] = await reader.select<TokenRecord>(
      `${SELECT} WHERE t.user_id = $1 AND t.id = $2 AND t.kind = 'Pat' AND t.date_removed IS NULL`,
      [userId, tokenId],
    );
    return record;
  },

  /** Also finds a removed token. */
  async find(reader: Reader, tokenId: string): Promise<TokenRecord | undefined> {
    const [record] = await reader.select<TokenRecord>(`${SELECT} WHERE t.id = $1`, [tokenId]);
    return record;
  },

  /** Oldest first. Without `userId`, returns the tokens of every service account that is not archived. */
  async listOfServiceAccounts(reader: Reader, userId?: string): Promise<TokenRecord[]> {
    return reader.select(
      `${SELECT} WHERE u.is_service_account AND t.kind = 'ServiceAccount'
         AND CASE WHEN $1::text IS NULL THEN u.date_archived IS NULL ELSE u.id = $1 END ORDER BY t.id`,
      [userId ?? null],
    );
  },

  /** Locks the token until the transaction ends. Returns false if the user has no such token. */
  async lockPersonal(tx: Tx, userId: string, tokenId: string): Promise<boolean> {
    const rows = await tx.select(
      `SELECT 1 FROM access_tokens t WHERE t.user_id = $1 AND t.id = $2 AND t.kind = 'Pat' AND t.date_removed IS NULL FOR UPDATE`,
      [userId, tokenId],
    );
    return rows.length > 0;
  },

  async change(tx: Tx, tokenId: string, set: Change): Promise<void> {
    if (Object.keys(set).length > 0) await tx.update(AccessTokenEntity, { id: tokenId }, set);
  },

  /** Removes the token, and voids the credential that signed only for this token. */
  async remove(tx: Tx, tokenId: string): Promise<void> {
    await removeWhere(tx, 't.id = $2', tokenId);
  },

  async removeAllOfUser(tx: Tx, userId: string): Promise<void> {
    await removeWhere(tx, 't.user_id = $2', userId);
  },
};

async function removeWhere(tx: Tx, condition: string, value: string): Promise<void> {
  await tx.query(
    `WITH removed AS (
       UPDATE access_tokens t SET is_active = false, date_removed = clock_timestamp()
       WHERE t.org_id = $1 AND ${condition} AND t.date_removed IS NULL RETURNING t.credential_id)
     UPDATE credentials c SET is_active = false, date_removed = clock_timestamp()
     WHERE c.org_id = $1 AND c.is_token_bound AND c.date_removed IS NULL AND c.id IN (SELECT credential_id FROM removed)`,
    [tx.orgId, value],
  );
}
