import type { Reader } from '../database';
import { CredentialEntity } from './credential.entity';

export const credentialStore = {
  /** Active credentials that may sign for the user; `credentialUuid` narrows them to the one that a token owns. */
  async listUsable(reader: Reader, userId: string, credentialUuid: string | undefined): Promise<CredentialEntity[]> {
    return credentialUuid === undefined
      ? reader.rows(CredentialEntity, `WHERE t.user_id = $1 AND t.kind = 'Key' AND t.is_active`, [userId])
      : reader.rows(CredentialEntity, `WHERE t.user_id = $1 AND t.kind = 'Key' AND t.is_active AND t.id = $2`, [
          userId,
          credentialUuid,
        ]);
  },

  /** An active credential of the user by the id its owner chose. */
  async findActive(reader: Reader, userId: string, credentialId: string): Promise<CredentialEntity | undefined> {
    return reader.row(CredentialEntity, 'WHERE t.user_id = $1 AND t.credential_id = $2 AND t.is_active', [userId, credentialId]);
  },

  async listOfUser(reader: Reader, userId: string): Promise<CredentialEntity[]> {
    return reader.rows(CredentialEntity, 'WHERE t.user_id = $1 ORDER BY t.id', [userId]);
  },
};
