import type { Reader, Tx } from '../database';
import type { UserEntity } from '../users/user.entity';
import { AccessTokenEntity } from './access-token.entity';

/** What a request needs to know of its token, user and permissions, in one read. */
export type SessionRow = {
  /** Active, and not expired by the database's clock. */
  readonly tokenUsable: boolean;
  readonly credentialUuid: string | null;
  readonly userActive: boolean;
  readonly userKind: UserEntity['kind'];
  readonly isServiceAccount: boolean;
  readonly operations: readonly string[];
};

type NewAccessToken = Pick<AccessTokenEntity, 'id' | 'userId' | 'kind' | 'credentialId' | 'dateExpires'>;

export const accessTokenStore = {
  async add(tx: Tx, token: NewAccessToken): Promise<void> {
    await tx.insert(AccessTokenEntity, { orgId: tx.orgId, isActive: true, ...token });
  },

  async findSession(reader: Reader, tokenId: string, userId: string): Promise<SessionRow | undefined> {
    const [row] = await reader.select<SessionRow>(
      `SELECT t.is_active AND t.date_expires > clock_timestamp() AS "tokenUsable", t.credential_id AS "credentialUuid",
         u.is_active AS "userActive", u.kind AS "userKind", u.is_service_account AS "isServiceAccount",
         (SELECT coalesce(jsonb_agg(operation), '[]')
          FROM permission_assignments a
          JOIN permissions p ON p.org_id = a.org_id AND p.id = a.permission_id AND p.status = 'Active'
          CROSS JOIN LATERAL jsonb_array_elements_text(p.operations) operation
          WHERE a.org_id = t.org_id AND a.user_id = t.user_id AND (p.is_managed OR operation <> '*')) AS operations
       FROM access_tokens t JOIN users u ON u.org_id = t.org_id AND u.id = t.user_id
       WHERE t.id = $1 AND t.user_id = $2`,
      [tokenId, userId],
    );
    return row;
  },
};
