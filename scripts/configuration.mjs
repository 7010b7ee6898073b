// Writes docs/configuration.md from the compiled schemas of the roles' variables. With --check, only reports whether the page
// is up to date.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { TRIAL_VARIABLES } from './supervisor/trial-variables.mjs';

const ROOT = join(dirname(fileURLToPath(import.meta.url)), '..');
const FILE = join(ROOT, 'docs', 'configuration.md');

/** Only Compose itself, or jobs that exist only in Compose, read these variables. */
const COMPOSE_ALONE = [
  { name: 'STRONGROOM_SECRETS', description: 'Folder of the files with the secrets.' },
  {
    name: 'STRONGROOM_UID',
    description: 'User that owns the files of `STRONGROOM_SECRETS` and runs every container; `npm run secrets` writes it.',
  },
  { name: 'STRONGROOM_GID', description: 'Group of `STRONGROOM_UID`; `npm run secrets` writes it.' },
  { name: 'STRONGROOM_BACKUPS', description: 'Volume, or folder on the host, to which archives go.' },
  { name: 'STRONGROOM_REPLICA', description: 'Volume of the replica, or folder on a different medium of the host.' },
  {
    name: 'STRONGROOM_REPLICA_AUTH',
    description: 'File on the host with the key for the connection between signer and replica.',
  },
  { name: 'STRONGROOM_VERSION', description: 'Tag of the images.' },
  { name: 'TEMPORAL_RETENTION', description: 'Time for which Temporal keeps the histories of workflows that have ended.' },
  { name: 'CHAINS_JSON', description: 'Chains that `first-run.json` of a trial names; `deploy/trial.env` sets it.' },
];

/** Each `${NAME}` in the compose file, in alphabetical order, with the default after `:-`. A name in a comment is ignored. */
function composeVariables(text) {
  const found = new Map();
  for (const line of text.split('\n').filter((one) => !/^\s*#/.test(one))) {
    for (const [, name, , standard = ''] of line.matchAll(/\$\{(\w+)(:-([^}]*)|:\?[^}]*)?\}/g)) found.set(name, standard);
  }
  return [...found].map(([name, standard]) => ({ name, standard })).sort((one, other) => (one.name < other.name ? -1 : 1));
}

function page() {
  const { configurationPage } = createRequire(import.meta.url)(join(ROOT, 'dist', 'local', 'configuration-page.js'));
  return configurationPage({
    trial: TRIAL_VARIABLES,
    compose: composeVariables(readFileSync(join(ROOT, 'docker-compose.yml'), 'utf8')),
    composeAlone: COMPOSE_ALONE,
  });
}

const text = page();
const isStale = !existsSync(FILE) || readFileSync(FILE, 'utf8') !== text;
if (process.argv.includes('--check')) {
  if (isStale) {
    process.stderr.write(`${FILE} has drifted from the schemas. Run "npm run fix".\n`);
    process.exitCode = 1;
  }
} else {
  if (isStale) writeFileSync(FILE, text);
  process.stdout.write(`Configuration: ${isStale ? 'docs/configuration.md written' : 'up to date'}\n`);
}
