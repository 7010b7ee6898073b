import { randomInt } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { BenchParts } from './config';
import { type Child, type Env, script } from './supervisor';

const USER = 'postgres';
const DATABASES = { default: 'temporal', visibility: 'temporal_visibility' } as const;
const HISTORY_SHARDS = 4;
const SERVICES = ['frontend', 'matching', 'history', 'worker'] as const;
/**
 * The same values as in the embedded server of `npm start`, so the two kinds of stack differ only in the server and its database.
 */
const DYNAMIC_CONFIG = {
  'system.enableActivityEagerExecution': true,
  'matching.numTaskqueueReadPartitions': 1,
  'matching.numTaskqueueWritePartitions': 1,
  'matching.enableFairness': true,
  'matching.enableMigration': true,
};

type Options = {
  readonly parts: BenchParts;
  readonly folder: string;
  readonly socketFolder: string;
  readonly env: Env;
  readonly onLine: (line: string) => void;
};

/**
 * Starts Temporal's full server and a second Postgres. The second Postgres separates the cost of Temporal's rows from the cost
 * of the service's rows.
 */
export async function startTemporalOnPostgres({ parts, folder, socketFolder, env, onLine }: Options): Promise<{
  readonly address: string;
  readonly children: readonly Child[];
}> {
  const { freePort } = script('supervisor/ports.mjs');
  const { run } = script('prepare/run.mjs');
  const { placeCluster, ensureCluster, startPostgres } = script('postgres.mjs');
  const password = 'bench';
  const port = await freePort();
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const place = await placeCluster({ bin: parts.postgresBin, folder: join(folder, 'postgres'), env });
  await ensureCluster(place, { password });
  const settings = { max_connections: 100, timezone: 'UTC', log_checkpoints: 'off', log_min_messages: 'fatal' };
  const postgres = await startPostgres(place, { port, socketFolder, settings, onLine, onSpawn: () => undefined });

  const tool = ['--plugin', 'postgres12', '--ep', '127.0.0.1', '-p', String(port), '-u', USER, '--pw', password];
  for (const [store, database] of Object.entries(DATABASES)) {
    const schema = `postgresql/v12/${store === 'default' ? 'temporal' : 'visibility'}`;
    const steps = [['create'], ['setup-schema', '-v', '0.0'], ['update-schema', '--schema-name', schema]];
    for (const step of steps) await run(parts.temporalSqlTool, [...tool, '--db', database, ...step], { env });
  }

  const ports = { grpc: await portPerService(), membership: await portPerService() };
  const address = `127.0.0.1:${ports.grpc.frontend}`;
  const dynamicFile = join(folder, 'dynamic.yaml');
  // YAML is a superset of JSON.
  writeFileSync(
    dynamicFile,
    JSON.stringify(Object.fromEntries(Object.entries(DYNAMIC_CONFIG).map(([key, value]) => [key, [{ value }]]))),
  );
  const storeOf = (databaseName: string, maxConns: number) => ({
    sql: {
      pluginName: 'postgres12',
      databaseName,
      connectAddr: `127.0.0.1:${port}`,
      connectProtocol: 'tcp',
      user: USER,
      password,
      maxConns,
      maxIdleConns: maxConns,
    },
  });
  const config = {
    log: { stdout: true, level: 'fatal' },
    persistence: {
      numHistoryShards: HISTORY_SHARDS,
      defaultStore: 'default',
      visibilityStore: 'visibility',
      datastores: { default: storeOf(DATABASES.default, 20), visibility: storeOf(DATABASES.visibility, 10) },
    },
    global: { membership: { maxJoinDuration: '30s', broadcastAddress: '127.0.0.1' } },
    services: Object.fromEntries(
      SERVICES.map((name) => [
        name,
        { rpc: { grpcPort: ports.grpc[name], membershipPort: ports.membership[name], bindOnIP: '127.0.0.1' } },
      ]),
    ),
    clusterMetadata: {
      enableGlobalNamespace: false,
      failoverVersionIncrement: 10,
      masterClusterName: 'active',
      currentClusterName: 'active',
      clusterInformation: { active: { enabled: true, initialFailoverVersion: 1, rpcName: 'frontend', rpcAddress: address } },
    },
    dcRedirectionPolicy: { policy: 'noop' },
    publicClient: { hostPort: address },
    dynamicConfigClient: { filepath: dynamicFile, pollInterval: '60s' },
  };
  const configFile = join(folder, 'server.yaml');
  writeFileSync(configFile, JSON.stringify(config));
  const args = ['--config-file', configFile, '--allow-no-auth', 'start'];
  const server = script('supervisor/child.mjs').startChild({
    role: 'temporal',
    command: parts.temporalServer,
    args,
    env,
    cwd: folder,
    onLine,
  });
  const cli = (words: readonly string[]) =>
    run(parts.temporal, ['operator', ...words, '--address', address], { env }).then(
      () => undefined,
      (error: unknown) => (error instanceof Error ? error.message : String(error)),
    );
  const { untilReady } = script('supervisor/readiness.mjs');
  await untilReady('Temporal on Postgres', () => cli(['cluster', 'health']));
  await untilReady("Temporal's namespace", () => cli(['namespace', 'create', '--namespace', 'default', '--retention', '1d']));
  // A new namespace works only after some seconds, when every service of the server has read it.
  await untilReady("Temporal's namespace", () => cli(['search-attribute', 'list', '--namespace', 'default']));
  return { address, children: [server, postgres] };
}

/** Temporal stores the ports of its own processes in a smallint column. */
const PORT_MAX = 32_767;
const PORT_MIN = 20_000;

async function portPerService(): Promise<Record<(typeof SERVICES)[number], number>> {
  const { stateOf } = script('supervisor/ports.mjs');
  const taken = new Set<number>();
  const next = async (): Promise<number> => {
    const port = randomInt(PORT_MIN, PORT_MAX + 1);
    if (taken.has(port) || (await stateOf(port, '127.0.0.1')) !== 'free') return next();
    taken.add(port);
    return port;
  };
  return { frontend: await next(), matching: await next(), history: await next(), worker: await next() };
}
