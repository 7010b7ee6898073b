import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { type Client, createClient } from '../local/client';
import { benchParts, inherited, ROOT } from './config';
import { type Rpc, rpcAt } from './rpc';
import { type Child, type Env, script } from './supervisor';
import { startTemporalOnPostgres } from './temporal-server';

/**
 * `embedded` is Temporal's development server on SQLite, as `npm start` runs it. `postgres` is the full server with its own
 * Postgres.
 */
export type StackKind = 'embedded' | 'postgres';
export type Role = 'api' | 'worker' | 'signer' | 'temporal' | 'temporal-postgres' | 'postgres' | 'chain';

export type Stack = {
  readonly kind: StackKind;
  readonly apiUrl: string;
  /** The folder with the state of all roles. */
  readonly dataFolder: string;
  readonly orgId: string;
  readonly userId: (name: 'admin' | 'approver') => string;
  readonly client: (name: 'admin' | 'approver') => Client;
  /** The environments include the paths of secret files, so another process can replace the stack's worker or API. */
  readonly env: { readonly worker: Env; readonly api: Env };
  /** The URL of a connection for rows that no role of the service may write. The service never uses this connection. */
  readonly superuserUrl: string;
  /** `temporal-postgres` is present only if Temporal runs on Postgres. */
  readonly pids: () => ReadonlyMap<Role, number>;
  readonly rpc: Rpc;
  /** Runs a compiled file (`bench/….js`) until the stack stops. */
  readonly run: (file: string, env: Env, onLine: (line: string) => void) => Child;
  readonly stop: () => Promise<void>;
};

export type StackOptions = {
  readonly kind: StackKind;
  readonly say: (line: string) => void;
  /** Variables for one role (`worker`, `api`, `signer`, `chain`) that override the variables of the local trial. */
  readonly moreEnv?: (role: string) => Env;
};

const FirstRun = z.object({
  orgId: z.string(),
  users: z.array(
    z.object({ name: z.string(), userId: z.string(), token: z.string(), credId: z.string(), privateKeyPem: z.string() }),
  ),
});
const PORT_VARIABLES = ['PORT', 'TEMPORAL_PORT', 'TEMPORAL_UI_PORT', 'CHAIN_PORT', 'POSTGRES_PORT', 'CODEC_PORT', 'HEALTH_PORT'];
/** No bench reads metrics or mails, calls a vendor, or opens the home page, so these ports stay closed. */
const LEFT_OUT = {
  API_METRICS_PORT: '0',
  WORKER_METRICS_PORT: '0',
  SDK_METRICS_PORT: '0',
  SMTP_PORT: '0',
  VENDORS_PORT: '0',
  HOME_PORT: '0',
};
const HOSTS = ['127.0.0.1'];
const STOP_WITHIN_MS = 15_000;

/**
 * Starts the service on free ports with an empty data folder. This folder is in the clone's cache folder, which is on a disk.
 * The system's temporary folder may be in memory, where a commit costs less.
 */
export async function startStack({ kind, say, moreEnv = () => ({}) }: StackOptions): Promise<Stack> {
  const parts = benchParts();
  const cache = join(ROOT, '.cache');
  mkdirSync(cache, { recursive: true });
  const dataFolder = mkdtempSync(join(cache, 'bench-'));
  const ports = Object.fromEntries(
    await Promise.all(PORT_VARIABLES.map(async (name) => [name, String(await freePort())] as const)),
  );
  const runtimeFolder = script('supervisor/preflight.mjs').makeRuntimeFolder(dataFolder);
  const ownEnv = {
    RATE_LIMITS: '{"scale":1000}',
    ...inherited(),
    NODE_ENV: 'development',
    LOG_LEVEL: inherited()['LOG_LEVEL'] ?? 'warn',
  };
  const output = { lineOf: (role: string) => (line: string) => say(`${role} | ${line}`) };
  const processGroup = script('supervisor/process-group.mjs').createProcessGroup(output);
  const pids = new Map<string, number>();
  const beside: Child[] = [];
  const add = (child: Child) => {
    pids.set(child.role, child.pid);
    return processGroup.add(child);
  };
  const stop = async () => {
    for (const child of beside.splice(0)) await child.stop(STOP_WITHIN_MS);
    await processGroup.stopAll();
    for (const child of below.splice(0)) await child.stop(STOP_WITHIN_MS);
    for (const folder of [dataFolder, runtimeFolder]) rmSync(folder, { recursive: true, force: true });
  };
  const below: Child[] = [];

  try {
    let temporal: Env = {};
    if (kind === 'postgres') {
      const base = script('supervisor/roles.mjs').baseEnv(ownEnv);
      const folder = join(dataFolder, 'temporal');
      const socketFolder = join(runtimeFolder, 'temporal');
      const onLine = output.lineOf('temporal');
      const { address, children } = await startTemporalOnPostgres({ parts, folder, socketFolder, env: base, onLine });
      below.push(...children);
      for (const { role, pid } of children) pids.set(role === 'postgres' ? 'temporal-postgres' : role, pid);
      temporal = { TEMPORAL_ADDRESS: address };
    }
    const env = { ...ownEnv, ...ports, ...LEFT_OUT, ...temporal, STRONGROOM_DATA: dataFolder };
    const settings = script('supervisor/settings.mjs').readSettings(ROOT, env);
    const started = script('supervisor/service.mjs').startService({
      settings,
      env,
      parts,
      runtimeFolder,
      hosts: HOSTS,
      processGroup: { ...processGroup, add },
      output,
      moreEnv,
    });
    const service = await Promise.race([started, processGroup.death]);
    const passwords = script('supervisor/secrets.mjs').ensureDatabasePasswords(dataFolder);
    const postgresPort = Number(ports['POSTGRES_PORT']);
    const roleEnvs = script('supervisor/roles.mjs').roleEnvs({
      settings,
      env,
      secrets: script('supervisor/secrets.mjs').ensureSecrets(dataFolder),
      databases: await script('supervisor/database.mjs').ensureDatabase({ root: ROOT, port: postgresPort, passwords }),
      runtimeFolder,
      parts,
      hosts: HOSTS,
    });
    const firstRun = FirstRun.parse(JSON.parse(readFileSync(service.firstRunFile, 'utf8')));
    const userOf = (name: string) => {
      const user = firstRun.users.find((one) => one.name === name);
      if (!user) throw new Error(`The first run made no user ${name}`);
      return user;
    };
    return {
      kind,
      ...{ apiUrl: service.apiUrl, dataFolder },
      orgId: firstRun.orgId,
      userId: (name) => userOf(name).userId,
      client: (name) => createClient(service.apiUrl, userOf(name)),
      env: { worker: { ...roleEnvs.worker, ...moreEnv('worker') }, api: { ...roleEnvs.api, ...moreEnv('api') } },
      superuserUrl: `postgres://postgres:${passwords.superuser}@127.0.0.1:${postgresPort}/strongroom`,
      pids: () => new Map([...pids].flatMap(([role, pid]) => (isRole(role) ? [[role, pid] as const] : []))),
      rpc: rpcAt(`http://127.0.0.1:${ports['CHAIN_PORT']}`),
      run: (file, childEnv, onLine) => {
        const args = [join(ROOT, 'dist', file)];
        const child = script('supervisor/child.mjs').startChild({
          role: file,
          command: process.execPath,
          args,
          env: childEnv,
          cwd: ROOT,
          onLine,
        });
        beside.push(child);
        return child;
      },
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

const freePort = () => script('supervisor/ports.mjs').freePort();

const ROLES: readonly Role[] = ['api', 'worker', 'signer', 'temporal', 'temporal-postgres', 'postgres', 'chain'];
const isRole = (name: string): name is Role => ROLES.some((role) => role === name);
