import { generateKeyPairSync } from 'node:crypto';
import { newId } from '../../platform/ids';
import { rowWriter } from '../../red-team/service/row-writer';
import { createKeyCredential } from '../support/key-credentials';
import type { DatabaseRole, Installation, Person } from './installation';

/** Writes rows directly into the database, as a role of the service. */
export type Rows = ReturnType<typeof createRows>;

export function createRows(installation: Installation, role: DatabaseRole, orgId: string) {
  const { run, copy, dispatch } = rowWriter((sql, values = []) => installation.as(role, orgId, sql, values), orgId);
  return {
    ...{ run, copy, dispatch },
    /** Adds the attacker's key to a user's credentials, with the date of the user's own credential. */
    credential: async ({ userId }: Pick<Person, 'userId'>) => {
      const keys = generateKeyPairSync('ed25519');
      const key = createKeyCredential('Key', keys);
      const set = { id: newId('credential'), credential_id: key.credId, public_key: key.publicKeyPem };
      await copy('credentials', `user_id = '${userId}' AND is_active LIMIT 1`, set);
      return { key, privateKey: keys.privateKey };
    },
  };
}
