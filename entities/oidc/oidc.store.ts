import type { Tx } from '../database';
import { UserEntity } from '../users/user.entity';
import { OidcIdentityEntity } from './oidc-identity.entity';
import { UsedIdTokenEntity } from './used-id-token.entity';

type Identity = Pick<OidcIdentityEntity, 'issuer' | 'subject'>;

export const oidcStore = {
  /** Also finds an archived user. The lock prevents a deactivation of the user before the transaction ends. */
  async findBound(tx: Tx, { issuer, subject }: Identity): Promise<UserEntity | undefined> {
    const bound = `JOIN oidc_identities i ON i.org_id = t.org_id AND i.user_id = t.id
      WHERE i.issuer = $1 AND i.subject = $2 FOR SHARE OF t`;
    return tx.row(UserEntity, bound, [issuer, subject]);
  },

  /** `username` is in lower case. The lock prevents a deactivation of the user before the transaction ends. */
  async findNamed(tx: Tx, username: string): Promise<UserEntity | undefined> {
    return tx.row(UserEntity, 'WHERE lower(t.username) = $1 AND t.date_archived IS NULL FOR SHARE', [username]);
  },

  async wasArchived(tx: Tx, username: string): Promise<boolean> {
    const archived = 'SELECT 1 FROM users t WHERE lower(t.username) = $1 AND t.date_archived IS NOT NULL LIMIT 1';
    return (await tx.select(archived, [username])).length > 0;
  },

  /** Returns false if the identity is already bound, or if the user has another identity of this issuer. */
  async bind(tx: Tx, { issuer, subject }: Identity, userId: string): Promise<boolean> {
    return tx.insertOnce(OidcIdentityEntity, { orgId: tx.orgId, issuer, subject, userId });
  },

  /**
   * Binds the identity of an archived user to the user `userId`, whom an administrator created as the replacement. Returns
   * false if the bound user is not archived, or if the replacement has another identity of this issuer.
   */
  async rebind(tx: Tx, { issuer, subject }: Identity, userId: string): Promise<boolean> {
    const rows = await tx.query(
      `UPDATE oidc_identities i SET user_id = $4 FROM users u
       WHERE i.org_id = $1 AND i.issuer = $2 AND i.subject = $3 AND u.org_id = i.org_id AND u.id = i.user_id
         AND u.date_archived IS NOT NULL
         AND NOT EXISTS (SELECT 1 FROM oidc_identities o WHERE o.org_id = $1 AND o.issuer = $2 AND o.user_id = $4)
       RETURNING i.user_id`,
      [tx.orgId, issuer, subject, userId],
    );
    return rows.length > 0;
  },

  /** Returns false if the token was used before. */
  async useIdToken(tx: Tx, id: string, dateExpires: Date): Promise<boolean> {
    return tx.insertOnce(UsedIdTokenEntity, { orgId: tx.orgId, id, dateExpires });
  },
};
