import { randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from 'pg';
import { migrate } from '../entities/migrate';
import { benchParts, inherited, ROOT } from './config';
import { script } from './supervisor';

export type BenchPostgres = {
  readonly appUrl: string;
  readonly workerUrl: string;
  readonly relayUrl: string;
  /**
   * The address for the superuser, who bypasses row-level security: a bench writes millions of rows, or measures a peer without
   * row-level security.
   */
  readonly superuserUrl: string;
  /** The postmaster, which is the parent of all backends. */
  readonly pid: number;
  /** Runs a statement as the superuser. */
  readonly query: <R extends object>(sql: string, values?: readonly unknown[]) => Promise<R[]>;
  readonly close: () => Promise<void>;
};

/** Commits are durable, as in the local trial. */
const SETTINGS = { max_connections: 200, timezone: 'UTC', log_checkpoints: 'off', log_min_messages: 'fatal' };
const STOP_WITHIN_MS = 15_000;
const password = () => randomBytes(16).toString('hex');

/** A migrated database without the rest of the service. `close` removes the server and the database. */
export async function startBenchPostgres(): Promise<BenchPostgres> {
  mkdirSync(join(ROOT, '.cache'), { recursive: true });
  const folder = mkdtempSync(join(ROOT, '.cache', 'bench-'));
  const runtimeFolder = script('supervisor/preflight.mjs').makeRuntimeFolder(folder);
  const passwords = { superuser: password(), owner: password(), app: password(), worker: password(), relay: password() };
  const { placeCluster, ensureCluster, startPostgres } = script('postgres.mjs');
  const env = script('supervisor/roles.mjs').baseEnv(inherited());
  const port = await script('supervisor/ports.mjs').freePort();
  const place = await placeCluster({ bin: benchParts().postgresBin, folder: join(folder, 'postgres'), env });
  await ensureCluster(place, { password: passwords.superuser });
  const server = await startPostgres(place, {
    port,
    socketFolder: join(runtimeFolder, 'postgres'),
    settings: SETTINGS,
    onLine: (line) => process.stderr.write(`postgres | ${line}\n`),
    onSpawn: () => undefined,
  });
  const urls = await script('supervisor/database.mjs').ensureDatabase({ root: ROOT, port, passwords });
  await migrate(urls.OWNER_DATABASE_URL);
  const superuserUrl = `postgres://postgres:${passwords.superuser}@127.0.0.1:${port}/strongroom`;
  const client = new Client({ connectionString: superuserUrl });
  await client.connect();
  return {
    appUrl: urls.DATABASE_URL,
    workerUrl: urls.WORKER_DATABASE_URL,
    relayUrl: urls.RELAY_DATABASE_URL,
    superuserUrl,
    pid: server.pid,
    query: async <R extends object>(sql: string, values: readonly unknown[] = []) =>
      (await client.query<R>(sql, [...values])).rows,
    close: async () => {
      await client.end();
      await server.stop(STOP_WITHIN_MS);
      for (const made of [folder, place.folder, runtimeFolder]) rmSync(made, { recursive: true, force: true });
    },
  };
}
