// npm test: prepares the missing programs, runs Jest with a Postgres that the script deletes afterwards, and ends with Jest's
// exit code. `--nightly` also selects the nightly tests. All other arguments go to Jest, as in `npm test -- test/policy`.
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ensureCluster, placeCluster, SUPERUSER, startPostgres } from './postgres.mjs';
import { killTools, Refusal } from './prepare/run.mjs';
import { prepare } from './prepare.mjs';
import { freePort } from './supervisor/ports.mjs';
import { helpIfAsked } from './usage.mjs';

helpIfAsked(`Usage: npm test [-- --nightly <path> … <options of Jest>]
  Prepares what is missing and runs Jest on the named files, or on all, with a throw-away Postgres. --nightly also runs the files
  *.nightly.test.ts, which take minutes.`);

const ROOT = join(dirname(fileURLToPath(import.meta.url)), '..');
const NIGHTLY = '--nightly';
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

let postgres;
let jest;
let folder;
let place;
const cleanUp = async () => {
  await postgres?.stop(STOPS_WITHIN_MS);
  for (const made of [place?.folder, folder]) if (made) rmSync(made, { recursive: true, force: true });
};
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
  process.once(signal, async () => {
    killTools();
    jest?.kill('SIGTERM');
    await cleanUp();
    process.exit(130);
  });
}

try {
  process.exitCode = await main(process.argv.slice(2));
} catch (error) {
  process.stderr.write(`${error instanceof Refusal ? error.message : error.stack}\n`);
  process.exitCode = 1;
} finally {
  await cleanUp();
}

async function main(args) {
  const env = process.env;
  const parts = await prepare({ root: ROOT, env, forTests: true });
  folder = mkdtempSync(join(tmpdir(), 'strongroom-test-'));
  const password = randomBytes(16).toString('hex');
  const port = await freePort();
  place = await placeCluster({ bin: parts.postgresBin, folder: join(folder, 'postgres'), env });
  if (place.note) process.stdout.write(`  ${place.note}\n`);
  await ensureCluster(place, { password, sync: false });
  const onLine = (line) => process.stderr.write(`postgres | ${line}\n`);
  const onSpawn = (child) => (postgres = child);
  await startPostgres(place, {
    port,
    socketFolder: join(folder, 'socket'),
    settings: THROW_AWAY,
    onLine,
    onSpawn,
    stopSignal: 'SIGQUIT',
  });
  const testEnv = {
    ...env,
    NODE_ENV: 'test',
    ...(args.includes(NIGHTLY) ? { STRONGROOM_NIGHTLY: 'true' } : {}),
    TEST_POSTGRES_URL: `postgres://${SUPERUSER}:${password}@127.0.0.1:${port}/postgres`,
    TEMPORAL_CLI_PATH: parts.temporal,
    TEMPORAL_TEST_SERVER_PATH: parts.testServer,
    ANVIL_PATH: parts.anvil,
    COIN_NODES: JSON.stringify({ ...parts.coinNodes, ...parts.cashNode }),
    ...(parts.zsh ? { ZSH_PATH: parts.zsh } : {}),
  };
  jest = spawn(
    process.execPath,
    [join(ROOT, 'node_modules', 'jest', 'bin', 'jest.js'), ...args.filter((word) => word !== NIGHTLY)],
    {
      cwd: ROOT,
      env: testEnv,
      stdio: 'inherit',
    },
  );
  return new Promise((resolve) => jest.once('exit', (status) => resolve(status ?? 1)));
}
