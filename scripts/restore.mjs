// npm run restore -- --from <archive> [--shares <file, or - for typed input>]: restores a deployment into the database that the
// environment names. Without such a database, the script starts a Postgres in the data folder and restores a local trial. The
// restored deployment is frozen.
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ensureCluster, placeCluster, startPostgres } from './postgres.mjs';
import { killTools, Refusal } from './prepare/run.mjs';
import { prepare } from './prepare.mjs';
import { isCluster, isMadeByAStart } from './supervisor/data-folder.mjs';
import { ensureDatabase } from './supervisor/database.mjs';
import { takeLock } from './supervisor/lock.mjs';
import { checkDataFolder, makeRuntimeFolder } from './supervisor/preflight.mjs';
import { baseEnv } from './supervisor/roles.mjs';
import { ensureDatabasePasswords, ensureSecrets } from './supervisor/secrets.mjs';
import { lockFile, readSettings } from './supervisor/settings.mjs';
import { helpIfAsked } from './usage.mjs';

helpIfAsked(`Usage: npm run restore -- --from <file> [--shares <file> | --shares -] [--secrets-to <folder>] [--check-only]
  Restores a deployment, which is then frozen. --check-only checks the archive and writes nothing; the service may keep running.`);

const ROOT = join(dirname(fileURLToPath(import.meta.url)), '..');
const MAIN = join(ROOT, 'dist', 'operator', 'main.js');
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
  // The script can read typed input only once, but two commands need the input.
  const typed = words[words.indexOf('--shares') + 1] === '-' ? readFileSync(STANDARD_INPUT) : undefined;
  if (!settings.embedded.postgres) return operator(['restore', ...words], env, typed);

  const { dataFolder, ports } = settings;
  const secrets = join(dataFolder, 'secrets');
  const here = { ...keyFilesIn(secrets, env), ...env, SIGNER_STATE_DIR: join(dataFolder, 'signer') };
  const all = ['restore', ...words, ...(words.includes('--secrets-to') ? [] : ['--secrets-to', secrets])];
  const isCheck = words.includes('--check-only');
  const obstacle = obstacleIn(dataFolder);
  if (obstacle && !isCheck) throw new Refusal(obstacle);
  await operator([...all, ...(isCheck ? [] : ['--check-only'])], here, typed);
  if (isCheck) return obstacle && process.stdout.write(`A restore to this data folder would be refused: ${obstacle}\n`);

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
    // After a failure, the next attempt would treat this cluster as an existing deployment.
    if (place) rmSync(place.folder, { recursive: true, force: true });
    rmSync(runtimeFolder, { recursive: true, force: true });
    release();
  }
}

/**
 * The reason why nothing can be restored into this folder, or undefined. A restore never replaces the rows of a cluster, nor a
 * file that no start creates. The operator's command itself checks whether the signer's files are newer than the archive.
 */
function obstacleIn(dataFolder) {
  const isInTheWay = (name) => isCluster(name) || !isMadeByAStart(name);
  const found = existsSync(dataFolder) ? readdirSync(dataFolder).filter(isInTheWay) : [];
  if (found.length === 0) return undefined;
  return `${dataFolder} is not empty (${found.join(', ')}): a restore never replaces what is there. Move it away, or set STRONGROOM_DATA.`;
}

/**
 * The variables for the key files in `secrets`. Leaves out a key that the environment sets, and a key whose file is missing.
 */
function keyFilesIn(secrets, env) {
  const names = { SIGNER_KEK: 'signer-kek', DATA_KEK: 'data-kek' };
  return Object.fromEntries(
    Object.entries(names)
      .filter(([name, file]) => !env[name] && !env[`${name}_FILE`] && existsSync(join(secrets, file)))
      .map(([name, file]) => [`${name}_FILE`, join(secrets, file)]),
  );
}

function operator(args, env, typed) {
  const child = spawn(process.execPath, [MAIN, ...args], { env, stdio: ['pipe', 'inherit', 'inherit'] });
  child.stdin.on('error', () => undefined); // the command may end before it has read everything
  child.stdin.end(typed ?? '');
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => (code === 0 ? resolve() : reject(new Refusal('Nothing was restored.'))));
  });
}
