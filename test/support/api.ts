import { generateKeyPairSync, type KeyObject, randomBytes } from 'node:crypto';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { issueToken } from '../../application/access-tokens/tokens';
import { ALL_OPERATIONS } from '../../domain/permissions';
import { AccessTokenEntity } from '../../entities/access-tokens/access-token.entity';
import { CredentialEntity } from '../../entities/credentials/credential.entity';
import { PermissionEntity } from '../../entities/permissions/permission.entity';
import { PermissionAssignmentEntity } from '../../entities/permissions/permission-assignment.entity';
import { UserEntity } from '../../entities/users/user.entity';
import { newId } from '../../platform/ids';
import { createTokenKeys, type TokenKeys } from '../../platform/token-keys';
import { listeningAt, newTokenKey, spawnApi } from './api-process';
import { Client, type Identity } from './client';
import { createTestDatabase, openTestDatabase, type TestDatabase } from './database';
import './examples';
import { findStand, linesFromNowOn, type StandKind } from './stand';

const DAY_MS = 86_400_000;
const TEST_LIMIT_MS = 120_000;

// Processes start slowly while other tests start processes too.
jest.setTimeout(TEST_LIMIT_MS);

export type Person = Identity & {
  readonly orgId: string;
  readonly userId: string;
  readonly username: string;
  readonly tokenId: string;
  readonly credentialUuid: string;
  readonly client: Client;
};

/** Tables with rows that belong to no organisation. The previous file may have left rows in these tables. */
const OF_NO_ORGANIZATION = 'lockouts, rate_limits, tokens, outbox';

type NewPerson = {
  readonly kind?: UserEntity['kind'];
  readonly isServiceAccount?: boolean;
  /** The operations of the person's permission. Without this list, the person is a managed full administrator. */
  readonly operations?: readonly string[];
  readonly keys?: { readonly publicKey: KeyObject; readonly privateKey: KeyObject };
  readonly name?: string;
};

export type TestApi = {
  readonly url: string;
  readonly database: TestDatabase;
  readonly tokens: TokenKeys;
  /** The private key that signs tokens, for a second process over the same database. */
  readonly tokenKey: string;
  /** The key with which the process seals: 32 bytes in hex. */
  readonly dataKek: string;
  /** The lines that the process has written. For a shared process, the log begins when this file joins. */
  readonly log: readonly string[];
  readonly pid: number;
  readonly createOrganization: TestDatabase['createOrganization'];
  readonly createPerson: (orgId: string, person?: NewPerson) => Promise<Person>;
  /** Ends the process by SIGTERM, and returns the exit code. */
  readonly stop: () => Promise<number | null>;
  /** Stops the process, and drops the database unless the caller supplied the database. Leaves a shared process alone. */
  readonly close: () => Promise<void>;
};

export type Own = {
  /** The reason why this file needs its own stand (a database and an API process) instead of the stand that files share. */
  readonly own?: string;
};

type Options = Own & {
  readonly database?: TestDatabase;
  readonly temporalAddress?: string;
  readonly rpcUrls?: Readonly<Record<string, readonly string[]>>;
  readonly dataKek?: string;
  readonly tokenKey?: string;
  readonly env?: Readonly<Record<string, string>>;
};

/**
 * Starts or joins the real API process. Without options, the files of a Jest worker share one process, and each file uses its
 * own organisation. With options, this file gets its own process on a free port and, unless one is given, its own database.
 * Without a Temporal address no workflow starts.
 */
export async function startApi(options: Options = {}): Promise<TestApi> {
  if (Object.keys(options).length === 0) return joinStand('plain');
  const database = options.database ?? (await createTestDatabase());
  const tokenKey = options.tokenKey ?? newTokenKey();
  const { dataKek = randomBytes(32).toString('hex'), rpcUrls = {}, temporalAddress, env } = options;
  const child = spawnApi({ databaseUrl: database.appUrl, tokenKey, dataKek, rpcUrls, temporalAddress, env }, 'pipe');
  const killer = () => void child.kill('SIGKILL');
  process.once('exit', killer);
  const log: string[] = [];
  const exited = new Promise<number | null>((resolve) => child.once('close', resolve));
  createInterface(child.stderr as Readable).on('line', (line) => log.push(line));
  const url = await new Promise<string>((resolve, reject) => {
    createInterface(child.stdout as Readable).on('line', (line) => {
      log.push(line);
      const found = listeningAt(line);
      if (found) resolve(found);
    });
    void exited.then((code) => reject(new Error(`the API ended with ${code}:\n${log.join('\n')}`)));
  });

  const stop = () => {
    process.off('exit', killer);
    child.kill('SIGTERM');
    return exited;
  };
  return {
    ...{ ...handleOn(database, url, tokenKey), dataKek, log, stop },
    pid: child.pid ?? 0,
    close: async () => {
      await stop();
      if (!options.database) await database.close();
    },
  };
}

/** Joins the API process that the files of a Jest worker share. `close` ends only this file's connections. */
export async function joinStand(kind: StandKind): Promise<TestApi & { readonly nodePort: number }> {
  const { databaseName, url, tokenKey, dataKek, pid, logPath, nodePort } = await findStand(kind);
  const database = await openTestDatabase(databaseName);
  await database.arrange(`TRUNCATE ${OF_NO_ORGANIZATION}`, []);
  return {
    ...{ ...handleOn(database, url, tokenKey), dataKek, pid, nodePort },
    log: linesFromNowOn(logPath),
    stop: () => Promise.reject(new Error('other files use this API: a file that stops an API must start that API with `own`')),
    close: () => database.close(),
  };
}

function handleOn(database: TestDatabase, url: string, tokenKey: string) {
  const tokens = createTokenKeys(tokenKey);
  return {
    ...{ url, database, tokens, tokenKey },
    createOrganization: database.createOrganization,
    createPerson: (orgId: string, person?: NewPerson) => insertPerson(database, tokens, url, orgId, person ?? {}),
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
