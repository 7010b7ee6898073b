// npm run restore -- --from <archive> [--shares <file, or - for what is typed>]: brings a deployment back on the database that the environment
// names, or as a local trial on an empty data folder, with its own Postgres. What comes back is frozen.
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ensureCluster, placeCluster, startPostgres } from './postgres.mjs';
import { killTools, Refusal } from './prepare/run.mjs';
import { prepare } from './prepare.mjs';
import { ensureDatabase } from './supervisor/database.mjs';
import { takeLock } from './supervisor/lock.mjs';
import { checkDataFolder, makeRuntimeFolder } from './supervisor/preflight.mjs';
import { baseEnv } from './supervisor/roles.mjs';
import { ensureDatabasePasswords, ensureSecrets } from './supervisor/secrets.mjs';
import { lockFile, readSettings } from './supervisor/settings.mjs';

const ROOT = join(dirname(fileURLToPath(import.meta.url)), '..');
const MAIN = join(ROOT, 'dist', 'operator', 'main.js');
/** What may lie in the folder: the signer's own files, newer than the archive, a chain, keys, and what belongs to no deployment. */
const MAY_BE_THERE = /^(signer|chain|secrets|temporal|mails|lock.*|first-run\.json|\.writable-.*)$/;
const STANDARD_INPUT = 0;
const POSTGRES_STOPS_WITHIN_MS = 30_000;

try {
  await restore(process.argv.slice(2), process.env);
} catch (error) {
  killTools();
  process.stderr.write(`${error instanceof Refusal ? error.message : error.stack}\n`);
  process.exitCode = 1;
}

async function restore(words, env) {
  const parts = await prepare({ root: ROOT, env });
  const settings = readSettings(ROOT, env);
  // What is typed can be read once, and is needed twice.
  const typed = words[words.indexOf('--shares') + 1] === '-' ? readFileSync(STANDARD_INPUT) : undefined;
  if (!settings.embedded.postgres) return operator(['restore', ...words], env, typed);

  const { dataFolder, ports } = settings;
  const secrets = join(dataFolder, 'secrets');
  const here = { ...env, SIGNER_STATE_DIR: join(dataFolder, 'signer') };
  const all = ['restore', ...words, ...(words.includes('--secrets-to') ? [] : ['--secrets-to', secrets])];
  assertEmpty(dataFolder);
  await operator([...all, '--check-only'], here, typed);
  if (words.includes('--check-only')) return;

  checkDataFolder(dataFolder);
  const taken = (pid) => `Strongroom runs on ${dataFolder} (process ${pid}); stop it first.`;
  const release = await takeLock(lockFile(dataFolder), { taken });
  const runtimeFolder = makeRuntimeFolder(dataFolder);
  let postgres;
  let place;
  try {
    mkdirSync(secrets, { recursive: true, mode: 0o700 });
    const passwords = ensureDatabasePasswords(dataFolder);
    place = await placeCluster({ bin: parts.postgresBin, folder: join(dataFolder, 'postgres'), env: baseEnv(env) });
    await ensureCluster(place, { password: passwords.superuser });
    postgres = await startPostgres(place, {
      port: ports.postgres,
      socketFolder: join(runtimeFolder, 'postgres'),
      settings: { timezone: 'UTC', log_min_messages: 'warning' },
      onLine: () => undefined,
    });
    const { OWNER_DATABASE_URL } = await ensureDatabase({ root: ROOT, port: ports.postgres, passwords });
    await operator(all, { ...here, OWNER_DATABASE_URL }, typed);
    ensureSecrets(dataFolder);
    place = undefined;
  } finally {
    await postgres?.stop(POSTGRES_STOPS_WITHIN_MS);
    // A database that was not filled would look like somebody's to the next attempt.
    if (place) rmSync(place.folder, { recursive: true, force: true });
    rmSync(runtimeFolder, { recursive: true, force: true });
    release();
  }
}

function assertEmpty(dataFolder) {
  const found = existsSync(dataFolder) ? readdirSync(dataFolder).filter((name) => !MAY_BE_THERE.test(name)) : [];
  if (found.length === 0) return;
  throw new Refusal(
    `${dataFolder} is not empty (${found.join(', ')}): a restore never replaces what is there. Move it away, or set STRONGROOM_DATA.`,
  );
}

function operator(args, env, typed) {
  const child = spawn(process.execPath, [MAIN, ...args], { env, stdio: ['pipe', 'inherit', 'inherit'] });
  child.stdin.on('error', () => undefined); // it may end before it has read everything
  child.stdin.end(typed ?? '');
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => (code === 0 ? resolve() : reject(new Refusal('Nothing was restored.'))));
  });
}
