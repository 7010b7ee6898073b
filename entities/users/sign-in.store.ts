import type { ChallengeEntity } from '../challenges/challenge.entity';
import { challengeStore } from '../challenges/challenge.store';
import { CredentialEntity } from '../credentials/credential.entity';
import type { Reader, Tx } from '../database';
import { UserEntity } from './user.entity';

/** Omits the credentials of tokens. */
export type SignInAccount = { readonly user: UserEntity | undefined; readonly credentials: readonly CredentialEntity[] };

const OWN = 't.is_active AND t.date_removed IS NULL AND NOT t.is_token_bound';
const NAMED = `lower(u.username) = lower($1) AND u.date_archived IS NULL AND NOT u.is_service_account`;

/** SQL: the user of the challenge $1. Without a name at the start of the login, the user of the passkey $2. */
const CHALLENGED = `(
  SELECT coalesce(c.user_id, CASE WHEN c.data @> '{"isOpen": true}' THEN (
    SELECT k.user_id FROM credentials k WHERE k.credential_id = $2 AND k.kind = 'Fido2' AND NOT k.is_token_bound) END)
  FROM challenges c WHERE c.id = $1)`;

export const signInStore = {
  /** Both queries share one message, so an unknown name takes as long as a known name. */
  async findNamed(reader: Reader, username: string): Promise<SignInAccount> {
    const [user, credentials] = await Promise.all([
      reader.row(UserEntity, `WHERE t.id = (SELECT u.id FROM users u WHERE ${NAMED})`, [username]),
      reader.rows(CredentialEntity, `WHERE t.user_id = (SELECT u.id FROM users u WHERE ${NAMED}) AND ${OWN} ORDER BY t.id`, [
        username,
      ]),
    ]);
    return { user, credentials };
  },

  /** For a login without a name, `credentialId` is the passkey that signed. */
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

  /** The lock keeps an active user active until the transaction ends. */
  async hold(tx: Tx, userId: string): Promise<UserEntity | undefined> {
    return tx.row(UserEntity, 'WHERE t.id = $1 AND t.is_active AND t.date_archived IS NULL FOR SHARE', [userId]);
  },

  /** Like `hold`, but only one transaction at a time gets this lock. */
  async lockNamed(tx: Tx, username: string): Promise<UserEntity | undefined> {
    return tx.row(
      UserEntity,
      `WHERE t.id = (SELECT u.id FROM users u WHERE ${NAMED}) AND t.is_active AND t.date_archived IS NULL FOR NO KEY UPDATE`,
      [username],
    );
  },
};
