// npm run secrets -- <folder> [<host:port of Postgres>]: makes the secrets of a real installation, as files that only their owner
// can read. The script never replaces an existing secret.
import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { chmodSync, chownSync, existsSync, lstatSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { Refusal } from './prepare/run.mjs';
import { helpIfAsked } from './usage.mjs';

const USAGE = 'Usage: npm run secrets -- <folder> [<host:port of Postgres>]';
helpIfAsked(USAGE);

const SETTINGS = resolve('.env');
const INSIDE_COMPOSE = 'postgres:5432';
/**
 * The owner of the files if root runs this script. Containers run as this user, and an ordinary host has no account with this
 * id.
 */
const SERVICE_ID = 10_001;

const key = () => randomBytes(32).toString('hex');
const password = () => randomBytes(24).toString('hex');
const tokenKey = () => generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' });

function secretsFor(postgres) {
  const url = (role) => `postgres://strongroom_${role}:${password()}@${postgres}/strongroom`;
  return {
    'signer-kek': key(),
    'signer-auth': key(),
    'data-kek': key(),
    'token-key.pem': tokenKey(),
    'database-owner-url': url('owner'),
    'database-app-url': url('app'),
    'database-worker-url': url('worker'),
    'database-relay-url': url('relay'),
    'postgres-password': password(),
    'temporal-database-password': password(),
  };
}

function makeSecrets(folder, postgres) {
  const found = existsSync(folder) ? readdirSync(folder) : [];
  if (found.length > 0) {
    throw new Refusal(
      `${folder} is not empty (${found.join(', ')}). Secrets are never replaced: keys and data are sealed under them.`,
    );
  }
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  chmodSync(folder, 0o700);
  const secrets = secretsFor(postgres);
  for (const [name, value] of Object.entries(secrets)) {
    writeFileSync(join(folder, name), `${value.trim()}\n`, { flag: 'wx', mode: 0o600, flush: true });
  }
  const asRoot = process.getuid?.() === 0;
  const [uid, gid] = asRoot ? [SERVICE_ID, SERVICE_ID] : [process.getuid?.() ?? SERVICE_ID, process.getgid?.() ?? SERVICE_ID];
  if (asRoot) for (const name of ['', ...Object.keys(secrets)]) chownSync(join(folder, name), uid, gid);
  return { names: Object.keys(secrets), uid, gid };
}

function main([folderGiven, postgres = INSIDE_COMPOSE, ...rest]) {
  if (folderGiven === undefined || rest.length > 0 || !/^[^\s/@]+:\d+$/.test(postgres)) {
    throw new Refusal(USAGE);
  }
  const folder = resolve(folderGiven);
  if (existsSync(folder) && !lstatSync(folder).isDirectory()) throw new Refusal(`${folder} is not a folder.`);
  const { names, uid, gid } = makeSecrets(folder, postgres);
  const inside = relative(process.cwd(), folder);
  const path = inside.startsWith('..') ? folder : `./${inside}`;
  const settings = `STRONGROOM_SECRETS=${path}\nSTRONGROOM_UID=${uid}\nSTRONGROOM_GID=${gid}\n`;
  console.log(
    `${names.length} secrets in ${folder}, readable only by user ${uid}:\n${names.map((name) => `  ${name}`).join('\n')}`,
  );
  if (existsSync(SETTINGS)) console.log(`\n.env exists and is left unchanged. It must contain:\n${settings}`);
  else {
    writeFileSync(SETTINGS, settings, { flag: 'wx' });
    console.log(`\n.env tells docker compose where they are and as which user the containers run:\n${settings}`);
  }
  console.log(
    'Copy signer-kek and data-kek to a safe place now: without them no key and no webhook secret can ever be opened again.',
  );
}

try {
  main(process.argv.slice(2));
} catch (error) {
  if (!(error instanceof Refusal)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}
