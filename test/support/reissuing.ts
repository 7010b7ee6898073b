import { generateKeyPairSync } from 'node:crypto';
import { join } from 'node:path';
import { createRecoveryActivities } from '../../activities/recovery/recoveries';
import { ROOT, run } from '../scripts/script';
import type { Person } from './api';
import { Client } from './client';
import { createKeyCredential } from './key-credentials';
import { startRecoveryApi } from './recovery-api';
import { asSuperuser } from './roles';

const MAIN = join(ROOT, 'dist', 'operator', 'main.js');

export type Reissued = { readonly orgId: string; readonly username: string; readonly id: string; readonly code: string };

/** The API, and an operator who gives administrators their access back. */
export async function startReissuing() {
  const api = await startRecoveryApi({ own: 'it freezes the service, and an operator looks across organisations' });
  const operator = (words: readonly string[], env: Readonly<Record<string, string>> = {}) =>
    run([MAIN, ...words], {
      DATABASE_URL: api.database.appUrl,
      OWNER_DATABASE_URL: api.database.ownerUrl,
      DATA_KEK: api.dataKek,
      ...env,
    });
  const words = (orgId: string, user: string) => ['org:reissue', '--org', orgId, '--user', user];
  const begin = ({ orgId, username, code }: Omit<Reissued, 'id'>) =>
    api.call('POST', '/auth/registration/init', { orgId, username, registrationCode: code });
  const upset = (sql: string, values: readonly unknown[] = []) =>
    asSuperuser((client) => client.query(sql, [...values]), api.database.name);
  const activities = createRecoveryActivities({ db: api.db, mailContents: api.services.mailContents });

  return {
    ...api,
    operator,
    words,
    begin,
    upset,
    /** Looks at the recovery as its workflow does. */
    look: ({ orgId, id }: Pick<Reissued, 'orgId' | 'id'>) => activities.applyRecovery({ orgId, recoveryId: id }),
    reissue: async ({ orgId, userId, username }: Pick<Person, 'orgId' | 'userId' | 'username'>): Promise<Reissued> => {
      const { code: status, output } = await operator(words(orgId, userId));
      if (status !== 0) throw new Error(output);
      const found = (pattern: RegExp) => pattern.exec(output)?.[1] ?? '';
      return { orgId, username, id: found(/(rcv-\S+)/), code: found(/Code\s+(\S+)/) };
    },
    /** Registers a new key with the code, and opens a session with the key. */
    comeBack: async (reissued: Reissued): Promise<Client> => {
      const keys = generateKeyPairSync('ed25519');
      const key = createKeyCredential('Key', keys);
      const { body } = await begin(reissued);
      const { challenge, temporaryAuthenticationToken } = body as { challenge: string; temporaryAuthenticationToken: string };
      const credentials = { firstFactorCredential: key.attest(challenge) };
      const done = await api.call('POST', '/auth/registration', credentials, temporaryAuthenticationToken);
      if (done.status !== 200) throw new Error(`registration returned ${done.status}: ${done.text}`);
      const { orgId, username } = reissued;
      const login = await api.logIn({ orgId, username }, (text) => ({ firstFactor: key.assert(text) }));
      return new Client(api.url, { token: String(login.body['token']), credId: key.credId, privateKey: keys.privateKey });
    },
    /** Moves the recovery into the past, so that its wait is over. */
    isOver: async ({ id }: Pick<Reissued, 'id'>) => {
      const moved = `date_created = date_created - interval '25 hours', date_effective = date_effective - interval '25 hours'`;
      await upset(`UPDATE recoveries SET ${moved} WHERE id = $1`, [id]);
      await upset(`UPDATE reissue_grants SET ${moved} WHERE id = $1`, [id]);
    },
  };
}

export type Reissuing = Awaited<ReturnType<typeof startReissuing>>;
