import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { z } from 'zod';
import type { DrillConfig } from '../../drill/config';
import { openStage as openRig } from '../../drill/rig';
import { openStrongroomDatabase } from '../../entities/data-source';
import { createTrialOrganization } from '../../local/trial-organization';
import { createTokenKeys } from '../../platform/token-keys';
import { createPerson } from './person';

const OPERATOR = join(__dirname, '..', '..', 'operator', 'main.js');
const NAMES = ['ada', 'ben', 'cyd', 'dan'] as const;
type Name = (typeof NAMES)[number];
export const ROLES_HELD = ['app', 'worker', 'relay'] as const;
export type RoleHeld = (typeof ROLES_HELD)[number];
const Passwords = z.object({ app: z.string(), worker: z.string(), relay: z.string() });

/** The whole service of the drill, with a signer that accepts charters by the drill's operator. */
export async function openService(config: DrillConfig) {
  const rig = await openRig(config, { gated: false });
  const { dataFolder, ports, apiUrl, signerSocket } = rig.place();
  const secret = (name: string) => readFileSync(join(dataFolder, 'secrets', name), 'utf8').trim();
  const passwords = Passwords.parse(JSON.parse(secret('database.json')));
  const databaseUrl = (role: RoleHeld) =>
    `postgres://strongroom_${role}:${passwords[role]}@127.0.0.1:${ports['postgres']}/strongroom`;
  const stateDir = join(dataFolder, 'signer');
  const keyFile = join(config.STRONGROOM_DATA, 'operator.pem');
  writeFileSync(keyFile, rig.operatorKey.export({ format: 'pem', type: 'pkcs8' }), { mode: 0o600 });

  /** Runs a command in the same way as the operator does. */
  const command = async (name: string, ...args: readonly string[]): Promise<void> => {
    const env = { DATABASE_URL: databaseUrl('app'), SIGNER_STATE_DIR: stateDir };
    await promisify(execFile)(process.execPath, [OPERATOR, name, ...args], { env });
  };

  /** Creates four administrators with one key each. */
  const foundPeople = async () => {
    const db = await openStrongroomDatabase({ url: databaseUrl('app'), poolMax: 1, applicationName: 'red-team' });
    try {
      const { orgId, users } = await createTrialOrganization(db, createTokenKeys(secret('token-key.pem')), NAMES);
      const named = users.map((user) => [user.name, createPerson(apiUrl, { ...user, orgId })] as const);
      const usernames = Object.fromEntries(users.map(({ userId, username }) => [userId, username]));
      return { orgId, usernames, people: Object.fromEntries(named) as Record<Name, ReturnType<typeof createPerson>> };
    } finally {
      await db.close();
    }
  };

  /** Drafts a charter from the present rows, signs the charter as the operator, and puts the charter into force. */
  const charter = async (orgId: string, limits: readonly object[]): Promise<void> => {
    const [limitsFile, to] = [join(config.STRONGROOM_DATA, 'limits.json'), join(config.STRONGROOM_DATA, 'charter.json')];
    writeFileSync(limitsFile, JSON.stringify(limits));
    const wanted = ['--limits', limitsFile, '--members-amend', '--seen', 'all'];
    await command('authority:draft', '--org', orgId, '--to', to, ...wanted);
    await command('authority:sign', '--charter', to, '--key', keyFile);
    await command('authority:adopt', '--charter', `${to}.signed`);
  };

  return {
    ...{ rig, apiUrl, stateDir, databaseUrl, foundPeople, charter },
    /** The attacker's means in addition to the database roles. */
    loot: {
      socketPath: signerSocket,
      authKey: Buffer.from(secret('signer-auth'), 'hex'),
      dataKey: Buffer.from(secret('data-kek'), 'hex'),
      temporalAddress: `127.0.0.1:${ports['temporal']}`,
    },
  };
}
export type OpenedService = Awaited<ReturnType<typeof openService>>;
