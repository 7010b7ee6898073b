import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Pool } from 'pg';
import { z } from 'zod';
import { type Client, createClient } from '../local/client';
import { freePort } from '../local/free-port';
import type { DrillConfig } from './config';
import { type GateServer, startGateServer } from './gate-server';
import { type Receiver, startReceiver } from './receiver';
import { type Supervisor, startSupervisor } from './supervisor';

/** An additional worker or API is called `worker-2` or `api-2`. */
export const ROLES = ['worker', 'signer', 'api', 'temporal', 'postgres', 'chain'] as const;
/** Only the rounds of `replica-rounds.ts` have a replica. */
export type Role = (typeof ROLES)[number] | 'replica';
export type ProcessName = Role | `${Role}-${number}`;

const Ready = z.object({
  apiUrl: z.string(),
  firstRunFile: z.string(),
  signerSocket: z.string(),
  dataFolder: z.string(),
  runtimeFolder: z.string(),
  ports: z.record(z.string(), z.number()),
});
const User = z.object({ name: z.string(), userId: z.string(), token: z.string(), credId: z.string(), privateKeyPem: z.string() });
const FirstRun = z.object({ orgId: z.string(), users: z.array(User) });
const RpcReply = z.object({ result: z.unknown().optional(), error: z.object({ message: z.string() }).optional() });
const Passwords = z.object({ superuser: z.string(), app: z.string() });

type Env = Readonly<Record<string, string>>;
type UserName = 'admin' | 'approver';

export type Stage = {
  readonly place: () => z.output<typeof Ready>;
  /** `kill -9`. Resolves when the process has ended. */
  readonly kill: (name: ProcessName) => Promise<void>;
  /**
   * Starts the process with the variables `env`, which the process keeps at all later starts. Resolves when the process is
   * ready.
   */
  readonly restart: (name: ProcessName, env?: Env) => Promise<void>;
  /** `kill -9` of the supervisor. Every process of the service ends with the supervisor. */
  readonly killGroup: () => Promise<void>;
  readonly startGroup: () => Promise<void>;
  /** SIGSTOP: the process stays alive and does nothing until `continueProcess`. */
  readonly stopProcess: (name: ProcessName) => Promise<void>;
  readonly continueProcess: (name: ProcessName) => Promise<void>;
  readonly pidOf: (name: ProcessName) => Promise<number>;
  /** Sets variables for all later starts of the process. These variables override the variables of the local trial. */
  readonly extraEnv: (name: ProcessName, env: Env) => void;
  /** Starts an additional worker or API on its own ports. Only an API serves requests at `baseUrl`. */
  readonly second: (role: 'worker' | 'api') => Promise<{ readonly name: ProcessName; readonly baseUrl: string }>;
  readonly client: (user: UserName, baseUrl?: string) => Client;
  readonly userId: (user: UserName) => string;
  readonly orgId: () => string;
  /** The state folder of the process. */
  readonly folderOf: (name: 'signer' | 'replica') => string;
  /** Throws if the chain replies with an error. */
  readonly rpc: (method: string, params?: readonly unknown[]) => Promise<unknown>;
  /** Runs as superuser, because only a superuser sees the rows of every organisation. */
  readonly sql: <R extends object>(query: string, values?: readonly unknown[]) => Promise<R[]>;
  /** The database address for the API's role. */
  readonly databaseUrl: () => string;
  /** The operator's key, which signs charters. */
  readonly operatorKey: KeyObject;
  readonly receiver: Receiver;
  readonly gate: GateServer;
  /** Each unplanned end of a process so far. The supervisor restarts such a process after a second. */
  readonly deaths: () => readonly string[];
  readonly close: () => Promise<void>;
};

/** The drill adds only this code to worker, API and signer. All other code of these processes is the released code. */
const HOOK = join(__dirname, 'hook', 'main.js');

const SQL_LIMIT_MS = 5_000;
const SQL_AT_ONCE = 4;

/** If `gated` is true, worker, API and signer report their points to the gate. */
export async function openStage({ DRILL_PARTS, STRONGROOM_DATA }: DrillConfig, { gated }: { gated: boolean }): Promise<Stage> {
  const [receiver, gate] = await Promise.all([startReceiver(), startGateServer()]);
  const deaths: string[] = [];
  const logFile = join(STRONGROOM_DATA, 'drill.log');
  const gateEnv: Env = gated ? { NODE_OPTIONS: `--require ${HOOK}`, DRILL_GATE_SOCKET: gate.socketPath } : {};
  const { privateKey: operatorKey, publicKey } = generateKeyPairSync('ed25519');
  const operatorHex = publicKey.export({ format: 'der', type: 'spki' }).subarray(-32).toString('hex');
  // A held process may hold a connection with an open transaction, so the worker gets a larger pool.
  const extra = new Map<ProcessName, Env>([
    ['worker', { ...gateEnv, DATABASE_POOL_MAX: '40' }],
    ['api', gated ? { ...gateEnv, DRILL_STEP: 'api' } : {}],
    ['signer', { ...gateEnv, SIGNER_OPERATOR_KEY: operatorHex }],
    ['replica', gateEnv],
  ]);
  let supervisor: Supervisor | undefined;
  let ready: z.output<typeof Ready> | undefined;

  const startGroup = async () => {
    supervisor = startSupervisor({ logFile, onDeath: (role, how) => deaths.push(`${role} (${how})`) });
    ready = Ready.parse(await supervisor.order('begin', DRILL_PARTS, Object.fromEntries(extra)));
  };
  const order = (name: string, ...args: readonly unknown[]): Promise<unknown> => {
    if (!supervisor) throw new Error('The service does not run');
    return supervisor.order(name, ...args);
  };
  const place = () => {
    if (!ready) throw new Error('The service does not run');
    return ready;
  };
  const portOf = (name: string) => z.number().parse(place().ports[name]);
  // Every start writes new tokens.
  const firstRun = () => FirstRun.parse(JSON.parse(readFileSync(place().firstRunFile, 'utf8')));
  let pool: Pool | undefined;
  let closing: Promise<void> | undefined;
  const passwords = () => Passwords.parse(JSON.parse(readFileSync(join(place().dataFolder, 'secrets', 'database.json'), 'utf8')));
  const openPool = () => {
    const { superuser: password } = passwords();
    const as = { host: '127.0.0.1', port: portOf('postgres'), user: 'postgres', database: 'strongroom', password };
    const made = new Pool({ ...as, max: SQL_AT_ONCE, connectionTimeoutMillis: SQL_LIMIT_MS, statement_timeout: SQL_LIMIT_MS });
    // The pool replaces a broken connection at the next query. Without this listener the error would end the drill.
    made.on('error', () => undefined);
    made.on('connect', (client) => client.on('error', () => undefined));
    return made;
  };
  const user = (name: UserName) =>
    z
      .object({})
      .and(User)
      .parse(firstRun().users.find((one) => one.name === name));

  await startGroup().catch(async (error: unknown) => {
    await supervisor?.kill();
    throw error;
  });

  return {
    place,
    kill: async (name) => void (await order('kill', name)),
    restart: async (name, env) => {
      // A second process of a role begins with the variables of the first.
      if (env) extra.set(name, { ...(extra.get(name) ?? extra.get(name.replace(/-\d+$/, '') as Role)), ...env });
      await order('start', name, extra.get(name));
    },
    killGroup: async () => supervisor?.kill(),
    startGroup,
    stopProcess: async (name) => void (await order('signal', name, 'SIGSTOP')),
    continueProcess: async (name) => void (await order('signal', name, 'SIGCONT')),
    pidOf: async (name) => z.number().parse(await order('pidOf', name)),
    extraEnv: (name, env) => {
      extra.set(name, { ...extra.get(name), ...env });
    },
    second: async (role) => {
      const name: ProcessName = `${role}-2`;
      const port = String(await freePort());
      const ports: Env =
        role === 'api'
          ? { PORT: port, METRICS_PORT: '0' }
          : { HEALTH_PORT: port, CODEC_PORT: '0', METRICS_PORT: '0', SDK_METRICS_PORT: '0' };
      extra.set(name, { ...extra.get(role), ...extra.get(name), ...ports });
      await order('start', name, extra.get(name));
      return { name, baseUrl: `http://127.0.0.1:${port}` };
    },
    client: (name, baseUrl = place().apiUrl) => createClient(baseUrl, user(name)),
    userId: (name) => user(name).userId,
    orgId: () => firstRun().orgId,
    folderOf: (name) => extra.get(name)?.['SIGNER_STATE_DIR'] ?? join(place().dataFolder, name),
    rpc: async (method, params = []) => {
      const response = await fetch(`http://127.0.0.1:${portOf('chain')}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
      });
      const { result, error } = RpcReply.parse(await response.json());
      if (error) throw new Error(`${method}: ${error.message}`);
      return result;
    },
    sql: async <R extends object>(query: string, values: readonly unknown[] = []) => {
      pool ??= openPool();
      return (await pool.query<R>(query, [...values])).rows;
    },
    databaseUrl: () => `postgres://strongroom_app:${passwords().app}@127.0.0.1:${portOf('postgres')}/strongroom`,
    operatorKey,
    receiver,
    gate,
    deaths: () => deaths,
    close: async () => {
      closing ??= (async () => {
        await supervisor?.end();
        await Promise.all([pool?.end(), receiver.close(), gate.close()]);
      })();
      await closing;
    },
  };
}
