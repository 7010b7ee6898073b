// npm run org:…, keys:…: a command of the operator against the database that the environment names,
// or against the local trial that runs in another shell.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Refusal } from './prepare/run.mjs';
import { databaseUrl } from './supervisor/database.mjs';
import { readSettings } from './supervisor/settings.mjs';

const ROOT = join(dirname(fileURLToPath(import.meta.url)), '..');
const MAIN = join(ROOT, 'dist', 'operator', 'main.js');

/** What says where database and data key are: given, or those of the local trial. */
function surroundings(env) {
  const given = (name) => env[name] || env[`${name}_FILE`];
  if (given('DATABASE_URL') && given('DATA_KEK')) return env;
  const { dataFolder, ports, embedded } = readSettings(ROOT, env);
  const temporal = { NODE_ENV: env.NODE_ENV || 'development', TEMPORAL_ADDRESS: `127.0.0.1:${ports.temporal}` };
  const secrets = join(dataFolder, 'secrets');
  if (!existsSync(join(secrets, 'data-kek'))) {
    throw new Refusal('Set DATABASE_URL and DATA_KEK (or their _FILE forms), or start the local trial with `npm start` first.');
  }
  const passwords = join(secrets, 'database.json');
  return {
    ...(embedded.temporal ? { ...env, ...temporal } : env),
    DATA_KEK_FILE: given('DATA_KEK') ? env.DATA_KEK_FILE : join(secrets, 'data-kek'),
    ...(embedded.postgres
      ? { DATABASE_URL: databaseUrl('app', JSON.parse(readFileSync(passwords, 'utf8')), ports.postgres) }
      : {}),
  };
}

try {
  if (!existsSync(MAIN)) throw new Refusal('Nothing is built yet: `npm run build` makes it.');
  const args = [MAIN, ...process.argv.slice(2)];
  process.exitCode = spawnSync(process.execPath, args, { stdio: 'inherit', env: surroundings(process.env) }).status ?? 1;
} catch (error) {
  if (!(error instanceof Refusal)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}
