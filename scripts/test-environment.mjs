// The throw-away Postgres of the tests, and the variables by which the tests find their programs.
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ensureCluster, placeCluster, SUPERUSER, startPostgres } from './postgres.mjs';
import { freePort } from './supervisor/ports.mjs';

const CONNECTIONS_MAX = 300;
const STOPS_WITHIN_MS = 5_000;
/** Fast settings with which a crash can destroy all data. No later run reads the data. */
const THROW_AWAY = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  max_connections: CONNECTIONS_MAX,
  log_min_messages: 'fatal',
};

/** `start` returns the URL of the superuser. `stop` also deletes what an interrupted start has left. */
export function testPostgres({ bin, env }) {
  let postgres;
  let folder;
  let place;
  return {
    async start() {
      folder = mkdtempSync(join(tmpdir(), 'strongroom-test-'));
      const password = randomBytes(16).toString('hex');
      const port = await freePort();
      place = await placeCluster({ bin, folder: join(folder, 'postgres'), env });
      if (place.note) process.stdout.write(`  ${place.note}\n`);
      await ensureCluster(place, { password, sync: false });
      const onLine = (line) => process.stderr.write(`postgres | ${line}\n`);
      const onSpawn = (child) => (postgres = child);
      const socketFolder = join(folder, 'socket');
      await startPostgres(place, { port, socketFolder, settings: THROW_AWAY, onLine, onSpawn, stopSignal: 'SIGQUIT' });
      return `postgres://${SUPERUSER}:${password}@127.0.0.1:${port}/postgres`;
    },
    async stop() {
      await postgres?.stop(STOPS_WITHIN_MS);
      for (const made of [place?.folder, folder]) if (made) rmSync(made, { recursive: true, force: true });
    },
  };
}

/** `url` is the URL of the superuser. */
export const testVariables = (parts, url) => ({
  NODE_ENV: 'test',
  TEST_POSTGRES_URL: url,
  TEMPORAL_CLI_PATH: parts.temporal,
  TEMPORAL_TEST_SERVER_PATH: parts.testServer,
  ANVIL_PATH: parts.anvil,
  COIN_NODES: JSON.stringify({ ...parts.coinNodes, ...parts.cashNode }),
  ...(parts.zsh ? { ZSH_PATH: parts.zsh } : {}),
});
