import type { ChallengeEntity } from '../challenges/challenge.entity';
import { challengeStore } from '../challenges/challenge.store';
import { CredentialEntity } from '../credentials/credential.entity';
import type { Reader, Tx } from '../database';
import { UserEntity } from './user.entity';

/** The user of a login and the credentials that the user may log in with. Credentials of tokens are left out. */
export type SignInAccount = { readonly user: UserEntity | undefined; readonly credentials: readonly CredentialEntity[] };

const OWN = 't.is_active AND t.date_removed IS NULL AND NOT t.is_token_bound';
const NAMED = `lower(u.username) = lower($1) AND u.date_archived IS NULL AND NOT u.is_service_account`;

/** SQL: the user of the challenge $1. If the login began without a name, the result is the user of the passkey $2. */
const CHALLENGED = `(
  SELECT coalesce(c.user_id, CASE WHEN c.data @> '{"isOpen": true}' THEN (
    SELECT k.user_id FROM credentials k WHERE k.credential_id = $2 AND k.kind = 'Fido2' AND NOT k.is_token_bound) END)
  FROM challenges c WHERE c.id = $1)`;

export const signInStore = {
  /** The user with this name. Both queries are sent in one message, so that an unknown name takes as long as a known one. */
  async findNamed(reader: Reader, username: string): Promise<SignInAccount> {
    const [user, credentials] = await Promise.all([
      reader.row(UserEntity, `WHERE t.id = (SELECT u.id FROM users u WHERE ${NAMED})`, [username]),
      reader.rows(CredentialEntity, `WHERE t.user_id = (SELECT u.id FROM users u WHERE ${NAMED}) AND ${OWN} ORDER BY t.id`, [
        username,
      ]),
    ]);
    return { user, credentials };
  },

  /**
   * The challenge of a login that has begun, and the user of this login. For a login without a name, `credentialId` is the
   * passkey that signed.
   */
  async findChallenged(
    reader: Reader,
    challengeId: string,
    credentialId: string,
  ): Promise<SignInAccount & { readonly challenge: ChallengeEntity | undefined }> {
    const values = [challengeId, credentialId];
    const [challenge, user, credentials] = await Promise.all([
      challengeStore.findOpen(reader, challengeId, 'Login'),
      reader.row(UserEntity, `WHERE t.id = ${CHALLENGED}`, values),
      reader.rows(CredentialEntity, `WHERE t.user_id = ${CHALLENGED} AND ${OWN} ORDER BY t.id`, values),
    ]);
    return { challenge, user, credentials };
  },

  /** An active user. The row is locked, so the user cannot be deactivated before the transaction ends. */
  async hold(tx: Tx, userId: string): Promise<UserEntity | undefined> {
    return tx.row(UserEntity, 'WHERE t.id = $1 AND t.is_active AND t.date_archived IS NULL FOR SHARE', [userId]);
  },

  /**
   * The same as `hold`, but by name and with a stronger lock. Only one transaction at a time gets this lock, so a concurrent
   * request for the same name waits.
   */
  async lockNamed(tx: Tx, username: string): Promise<UserEntity | undefined> {
    return tx.row(
      UserEntity,
      `WHERE t.id = (SELECT u.id FROM users u WHERE ${NAMED}) AND t.is_active AND t.date_archived IS NULL FOR NO KEY UPDATE`,
      [username],
    );
  },
};
