import { spawn } from 'node:child_process';
import { generateKeyPairSync, type KeyObject, randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { issueToken } from '../../application/tokens';
import { ALL_OPERATIONS } from '../../domain/permissions';
import { AccessTokenEntity } from '../../entities/access-tokens/access-token.entity';
import { CredentialEntity } from '../../entities/credentials/credential.entity';
import { PermissionEntity } from '../../entities/permissions/permission.entity';
import { PermissionAssignmentEntity } from '../../entities/permissions/permission-assignment.entity';
import { UserEntity } from '../../entities/users/user.entity';
import { newId } from '../../platform/ids';
import { createTokenKeys, type TokenKeys } from '../../platform/token-keys';
import { Client, type Identity } from './client';
import { createTestDatabase, type TestDatabase } from './database';

const ROOT = join(__dirname, '..', '..');
const DAY_MS = 86_400_000;
const TEST_LIMIT_MS = 120_000;

// Processes start slowly where every other test starts some too.
jest.setTimeout(TEST_LIMIT_MS);

export type Person = Identity & {
  readonly orgId: string;
  readonly userId: string;
  readonly username: string;
  readonly tokenId: string;
  readonly credentialUuid: string;
  readonly client: Client;
};

type NewPerson = {
  readonly kind?: UserEntity['kind'];
  readonly isServiceAccount?: boolean;
  /** Operations of the person's permission; a managed full admin unless given. */
  readonly operations?: readonly string[];
  readonly keys?: { readonly publicKey: KeyObject; readonly privateKey: KeyObject };
  readonly name?: string;
};

export type TestApi = {
  readonly url: string;
  readonly database: TestDatabase;
  readonly tokens: TokenKeys;
  /** For a second process over the same database. */
  readonly tokenKey: string;
  /** What the process wrote so far, one line per entry. */
  readonly log: readonly string[];
  readonly pid: number;
  readonly createOrganization: TestDatabase['createOrganization'];
  readonly createPerson: (orgId: string, person?: NewPerson) => Promise<Person>;
  /** Ends the process by SIGTERM and answers its exit code. */
  readonly stop: () => Promise<number | null>;
  /** Stops the process and, unless it was given, drops the database. */
  readonly close: () => Promise<void>;
};

type Options = {
  readonly database?: TestDatabase;
  readonly temporalAddress?: string;
  readonly rpcUrls?: Readonly<Record<string, readonly string[]>>;
  readonly dataKek?: string;
  readonly tokenKey?: string;
  readonly env?: Readonly<Record<string, string>>;
};

/** The real API process on a free port, over a database of its own; without a Temporal address workflows do not start. */
export async function startApi(options: Options = {}): Promise<TestApi> {
  const main = join(ROOT, 'dist', 'api', 'main.js');
  if (!existsSync(main)) throw new Error('dist/ is missing: run `npm run build` before this test');
  const database = options.database ?? (await createTestDatabase());
  const tokenKey =
    options.tokenKey ?? generateKeyPairSync('ed25519').privateKey.export({ format: 'pem', type: 'pkcs8' }).toString();
  const tokens = createTokenKeys(tokenKey);
  const child = spawn(process.execPath, ['--enable-source-maps', main], {
    env: {
      PATH: process.env['PATH'],
      NODE_ENV: 'test',
      PORT: '0',
      HOSTS: '127.0.0.1',
      DATABASE_URL: database.appUrl,
      TOKEN_KEY: tokenKey,
      DATA_KEK: options.dataKek ?? randomBytes(32).toString('hex'),
      NETWORK_RPC_URLS: JSON.stringify(options.rpcUrls ?? {}),
      TEMPORAL_ADDRESS: options.temporalAddress ?? '127.0.0.1:9',
      // All people of all tests come from one address; the tests of the limits set their own.
      RATE_LIMITS: '{"scale":1000}',
      ...options.env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const killer = () => void child.kill('SIGKILL');
  process.once('exit', killer);
  const log: string[] = [];
  const exited = new Promise<number | null>((resolve) => child.once('close', resolve));
  createInterface(child.stderr).on('line', (line) => log.push(line));
  const url = await new Promise<string>((resolve, reject) => {
    createInterface(child.stdout).on('line', (line) => {
      log.push(line);
      const port = /"port":(\d+).*"msg":"listening"/.exec(line)?.[1];
      if (port) resolve(`http://127.0.0.1:${port}`);
    });
    void exited.then((code) => reject(new Error(`the API ended with ${code}:\n${log.join('\n')}`)));
  });

  const stop = () => {
    process.off('exit', killer);
    child.kill('SIGTERM');
    return exited;
  };
  return {
    url,
    database,
    tokens,
    tokenKey,
    log,
    pid: child.pid ?? 0,
    createOrganization: database.createOrganization,
    createPerson: (orgId, person) => insertPerson(database, tokens, url, orgId, person ?? {}),
    stop,
    close: async () => {
      await stop();
      if (!options.database) await database.close();
    },
  };
}

async function insertPerson(
  { db }: TestDatabase,
  tokens: TokenKeys,
  url: string,
  orgId: string,
  { kind = 'CustomerEmployee', isServiceAccount = false, operations, keys = generateKeyPairSync('ed25519'), name }: NewPerson,
): Promise<Person> {
  const userId = newId('user');
  const username = `${name ?? 'person'}-${userId.slice(-8)}`;
  const credentialUuid = newId('credential');
  const credId = randomBytes(16).toString('base64url');
  const publicKey = keys.publicKey.export({ format: 'pem', type: 'spki' }).toString();
  const token = await db.withOrg(orgId, async (tx) => {
    const user = {
      orgId,
      id: userId,
      username,
      // Names of programs are unique in their organisation.
      name: name ?? (isServiceAccount ? username : 'Person'),
      kind,
      credentialUuid,
      isActive: true,
      isRegistered: true,
    };
    await tx.insert(UserEntity, { ...user, isServiceAccount });
    const credential = { orgId, id: credentialUuid, userId, kind: 'Key' as const, credentialId: credId };
    await tx.insert(CredentialEntity, { ...credential, name: 'Key', publicKey, isActive: true });
    const permissionId = newId('permission');
    const granted = { operations: operations ?? [ALL_OPERATIONS], isManaged: operations === undefined };
    await tx.insert(PermissionEntity, {
      orgId,
      id: permissionId,
      name: `Permission ${permissionId}`,
      ...granted,
      status: 'Active',
    });
    await tx.insert(PermissionAssignmentEntity, { orgId, id: newId('assignment'), permissionId, userId });
    return (await issueToken(tx, tokens, { userId, kind: 'Token', lifetimeMs: DAY_MS })).token;
  });
  const row = await db.read(orgId).row(AccessTokenEntity, 'WHERE t.user_id = $1', [userId]);
  const identity = { token, credId, privateKey: keys.privateKey };
  return { ...identity, orgId, userId, username, tokenId: row?.id ?? '', credentialUuid, client: new Client(url, identity) };
}
