import type { Reader, Tx } from '../database';
import type { UserEntity } from '../users/user.entity';
import { AccessTokenEntity } from './access-token.entity';

export type SessionRow = {
  /** True if the token is valid now, by the database's clock. */
  readonly tokenUsable: boolean;
  readonly credentialUuid: string | null;
  readonly userActive: boolean;
  readonly userKind: UserEntity['kind'];
  readonly isServiceAccount: boolean;
  readonly operations: readonly string[];
  readonly tokenKind: AccessTokenEntity['kind'];
  /** Null for a token with all permissions of its user. */
  readonly tokenOperations: readonly string[] | null;
};

type Standing = Pick<SessionRow, 'userActive' | 'operations' | 'tokenOperations'>;

type NewAccessToken = Pick<AccessTokenEntity, 'id' | 'userId' | 'kind' | 'credentialId' | 'dateExpires' | 'tokenDigest'> &
  Partial<Pick<AccessTokenEntity, 'name' | 'externalId' | 'isRestricted' | 'openedBy'>>;

/**
 * SQL: the operations of the active permissions whose assignments meet `condition`. The operation `*` stands for all operations,
 * and is valid only in a managed permission, which the service itself has created.
 */
const operationsWhere = (condition: string, user = 't.user_id', org = 't.org_id') => `
  (SELECT coalesce(jsonb_agg(operation), '[]')
   FROM permission_assignments a
   JOIN permissions p ON p.org_id = a.org_id AND p.id = a.permission_id AND p.status = 'Active'
   CROSS JOIN LATERAL jsonb_array_elements_text(p.operations) operation
   WHERE a.org_id = ${org} AND a.user_id = ${user} AND ${condition} AND (p.is_managed OR operation <> '*'))`;

export const accessTokenStore = {
  async add(tx: Tx, token: NewAccessToken): Promise<void> {
    await tx.insert(AccessTokenEntity, { orgId: tx.orgId, isActive: true, ...token });
  },

  /** `digest` is the SHA-256 of the sent token, as hex. */
  async findSession(reader: Reader, tokenId: string, userId: string, digest: string): Promise<SessionRow | undefined> {
    const [row] = await reader.select<SessionRow>(
      `SELECT t.is_active AND t.date_removed IS NULL AND t.date_expires > clock_timestamp() AS "tokenUsable",
         t.kind AS "tokenKind", t.credential_id AS "credentialUuid", u.is_active AND u.date_archived IS NULL AS "userActive",
         u.kind AS "userKind", u.is_service_account AS "isServiceAccount", ${operationsWhere('a.token_id IS NULL')} AS operations,
         CASE WHEN t.is_restricted THEN ${operationsWhere('a.token_id = t.id')} END AS "tokenOperations"
       FROM access_tokens t JOIN users u ON u.org_id = t.org_id AND u.id = t.user_id
       WHERE t.id = $1 AND t.user_id = $2 AND t.token_digest = $3`,
      [tokenId, userId, digest],
    );
    return row;
  },

  /**
   * The user's present status and operations, which may have changed since the request that is checked. If no row has the id
   * `tokenId`, no token restricts the operations.
   */
  async standing(reader: Reader, userId: string, tokenId: string | null): Promise<Standing | undefined> {
    const [row] = await reader.select<Standing>(
      `SELECT u.is_active AND u.date_archived IS NULL AS "userActive",
         ${operationsWhere('a.token_id IS NULL', 'u.id', 'u.org_id')} AS operations,
         CASE WHEN t.is_restricted THEN ${operationsWhere('a.token_id = t.id')} END AS "tokenOperations"
       FROM users u LEFT JOIN access_tokens t ON t.org_id = u.org_id AND t.user_id = u.id AND t.id = $2
       WHERE u.id = $1`,
      [userId, tokenId],
    );
    return row;
  },
};
