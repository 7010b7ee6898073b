import type { Reader, Tx } from '../database';
import { CredentialEntity } from './credential.entity';

type NewCredential = Omit<CredentialEntity, 'orgId' | 'isActive' | 'dateCreated' | 'dateRemoved'>;

const USABLE = 't.is_active AND t.date_removed IS NULL';

export const credentialStore = {
  async add(tx: Tx, credential: NewCredential): Promise<void> {
    await tx.insert(CredentialEntity, { orgId: tx.orgId, isActive: true, ...credential });
  },

  /** Returns false if any user of the organisation has a credential with this id. */
  async addOnce(tx: Tx, credential: NewCredential): Promise<boolean> {
    return tx.insertOnce(CredentialEntity, { orgId: tx.orgId, isActive: true, ...credential });
  },

  /**
   * Includes recovery keys, but not the credentials of tokens. With `credentialUuid`, returns only this credential, which belongs
   * to a token.
   */
  async listUsable(reader: Reader, userId: string, credentialUuid: string | undefined): Promise<CredentialEntity[]> {
    return credentialUuid === undefined
      ? reader.rows(CredentialEntity, `WHERE t.user_id = $1 AND ${USABLE} AND NOT t.is_token_bound ORDER BY t.id`, [userId])
      : reader.rows(CredentialEntity, `WHERE t.user_id = $1 AND ${USABLE} AND t.id = $2`, [userId, credentialUuid]);
  },

  /** Oldest first. Omits removed credentials and the credentials of tokens. */
  async listOfUser(reader: Reader, userId: string): Promise<CredentialEntity[]> {
    return reader.rows(
      CredentialEntity,
      'WHERE t.user_id = $1 AND t.date_removed IS NULL AND NOT t.is_token_bound ORDER BY t.id',
      [userId],
    );
  },

  /** The first and second factors of these user actions, regardless of the present state of the credentials. */
  named: (reader: Reader, userActionIds: readonly string[]): Promise<CredentialEntity[]> =>
    reader.rows(
      CredentialEntity,
      `WHERE t.id = ANY(ARRAY(SELECT unnest(ARRAY[a.credential_uuid, a.second_factor ->> 'credentialUuid'])
                             FROM user_actions a WHERE a.id = ANY($1)))`,
      [userActionIds],
    ),

  /** Undefined if the credential was removed or belongs to a token. The credential is locked until the transaction ends. */
  async lockOfUser(tx: Tx, userId: string, id: string): Promise<CredentialEntity | undefined> {
    return tx.row(
      CredentialEntity,
      'WHERE t.user_id = $1 AND t.id = $2 AND t.date_removed IS NULL AND NOT t.is_token_bound FOR UPDATE',
      [userId, id],
    );
  },

  async setActive(tx: Tx, id: string, isActive: boolean): Promise<void> {
    await tx.update(CredentialEntity, { id }, { isActive });
  },

  /** The row and its public key remain, because they verify past signatures. */
  async remove(tx: Tx, id: string): Promise<void> {
    await tx.query(
      `UPDATE credentials SET is_active = false, date_removed = clock_timestamp(), secret = NULL, encrypted_private_key = NULL
       WHERE org_id = $1 AND id = $2`,
      [tx.orgId, id],
    );
  },

  /** Whether the credential is usable now. The lock keeps a usable credential usable until the transaction ends. */
  async isUsable(tx: Tx, id: string): Promise<boolean> {
    return (await tx.select(`SELECT 1 FROM credentials t WHERE t.id = $1 AND ${USABLE} FOR SHARE`, [id])).length > 0;
  },

  /**
   * Returns false if a concurrent use has stored the same or a higher counter, or if the credential is no longer usable. An
   * authenticator without a counter always reports zero, and zero is accepted again.
   */
  async countSignature(tx: Tx, id: string, signCount: number): Promise<boolean> {
    const rows = await tx.query(
      `UPDATE credentials t SET sign_count = $3
       WHERE t.org_id = $1 AND t.id = $2 AND ${USABLE} AND ($3 = 0 OR t.sign_count < $3) RETURNING t.id`,
      [tx.orgId, id, signCount],
    );
    return rows.length > 0;
  },

  /** Returns false if this time step or a later one was used before, or if the credential is no longer usable. */
  async useStep(tx: Tx, id: string, step: number): Promise<boolean> {
    const rows = await tx.query(
      `UPDATE credentials t SET last_step = $3
       WHERE t.org_id = $1 AND t.id = $2 AND ${USABLE} AND (t.last_step IS NULL OR t.last_step < $3) RETURNING t.id`,
      [tx.orgId, id, step],
    );
    return rows.length > 0;
  },
};
