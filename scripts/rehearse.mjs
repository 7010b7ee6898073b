// npm run rehearse [-- trial]: runs docker-compose.yml without Docker, in namespaces of this kernel. Commands, variables,
// users, mounts and healthchecks are the same as in the compose file. The rehearsal needs Linux, root and psql. With `trial`,
// the rehearsal makes a transfer at the end.
import { execFileSync, spawnSync } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { connect } from 'node:net';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { stripVTControlCharacters } from 'node:util';
import { ensureCluster, findPostgres, placeCluster, startPostgres } from './postgres.mjs';
import { findAnvil } from './prepare/anvil.mjs';
import { Refusal } from './prepare/run.mjs';
import { findTemporal } from './prepare/temporal.mjs';
import { findTemporalOnPostgres } from './prepare/temporal-postgres.mjs';
import { contain } from './rehearse/container.mjs';
import { fillImages, readImages } from './rehearse/images.mjs';
import { transferOnce } from './rehearse/transfer.mjs';
import { helpIfAsked } from './usage.mjs';

helpIfAsked(`Usage: npm run rehearse [-- trial]
  Runs docker-compose.yml in namespaces of this kernel, as root on Linux; with trial it makes a transfer at the end.`);

const ROOT = join(dirname(fileURLToPath(import.meta.url)), '..');
const SELF = fileURLToPath(import.meta.url);
const INSIDE = '--inside';
const LINE_LENGTH_MAX = 300;
const MOUNT_POINTS = ['/app', '/deploy'];
const isTrial = process.argv.includes('trial');
const say = (text) => process.stdout.write(`${text}\n`);

/** Runs this script again in new namespaces, where every port is free and the script can replace /etc/hosts. */
function enterNamespaces() {
  if (process.platform !== 'linux' || process.getuid() !== 0) throw new Refusal('The rehearsal needs Linux and root.');
  const made = MOUNT_POINTS.filter((path) => !existsSync(path));
  for (const path of made) mkdirSync(path);
  try {
    const words = ['--net', '--mount', '--propagation', 'private', 'sh', '-c', 'ip link set lo up && exec "$0" "$@"'];
    return (
      spawnSync('unshare', [...words, process.execPath, SELF, INSIDE, ...process.argv.slice(2)], { stdio: 'inherit' }).status ?? 1
    );
  } finally {
    for (const path of made) rmdirSync(path);
  }
}

/** The variables of a file such as `.env`, without single quotes around the values. */
const variablesOf = (path) =>
  Object.fromEntries(
    [...readFileSync(path, 'utf8').matchAll(/^(\w+)=(.*)$/gm)].map(([, name, value]) => [name, value.replace(/^'(.*)'$/, '$1')]),
  );

function readCompose(stage) {
  const { parse } = createRequire(import.meta.url)('yaml');
  const trial = isTrial ? variablesOf(join(ROOT, 'deploy', 'trial.env')) : {};
  const variables = { ...variablesOf(join(stage, '.env')), ...trial };
  const text = JSON.stringify(parse(readFileSync(join(ROOT, 'docker-compose.yml'), 'utf8'), { merge: true }));
  const inPlace = (_, name, operator, word) => JSON.stringify(variables[name] ?? (operator === '-' ? word : '')).slice(1, -1);
  return JSON.parse(text.replaceAll(/\$\{(\w+)(?::([-?])([^}]*))?\}/g, inPlace));
}

async function rehearse() {
  const stage = mkdtempSync('/var/tmp/strongroom-rehearsal-');
  chmodSync(stage, 0o755);
  const started = [];
  let postgres;
  try {
    const images = readImages(ROOT);
    for (const line of fillImages(ROOT, images, join(stage, 'images'))) say(`image     ${line}`);
    await gatherPrograms(join(stage, 'bin'));
    images.trial.env.ANVIL_PATH = join(stage, 'bin', 'anvil');
    writeFileSync(join(stage, 'hosts'), '127.0.0.1 localhost postgres temporal chain\n');
    execFileSync('mount', ['--bind', join(stage, 'hosts'), '/etc/hosts']);
    execFileSync(process.execPath, [join(ROOT, 'scripts', 'secrets.mjs'), 'secrets'], { cwd: stage });
    const { services } = readCompose(stage);
    const logs = [];
    const onLine = (name, line) => logs.push(`${name} | ${stripVTControlCharacters(line)}`.slice(0, LINE_LENGTH_MAX));
    const imageOf = ({ build, image }) => build?.target ?? /^strongroom\/(\w+)/.exec(image)?.[1];
    const container = (name) => {
      const target = imageOf(services[name]);
      const place = {
        root: ROOT,
        stage,
        app: target && join(stage, 'images', target),
        image: images[target] ?? { env: {}, entrypoint: [], command: [] },
      };
      return contain(name, services[name], { ...place, onLine });
    };
    const job = async (name) => {
      const how = await container(name).exited;
      const told = logs.filter((line) => line.startsWith(`${name} | `)).at(-1) ?? '';
      if (how !== 0) throw new Refusal(`${name} ended with ${how}:\n${logs.slice(-20).join('\n')}`);
      say(`job       ${name}: exit code 0 · ${told.slice(name.length + 3, 120)}`);
    };
    const service = async (name) => {
      const running = container(name);
      started.unshift(running);
      try {
        say(`healthy   ${name}: ${await running.healthy()}`);
      } catch (error) {
        throw new Refusal(`${error.message}\n${logs.slice(-30).join('\n')}`);
      }
      return running;
    };

    postgres = await startDatabases(stage, services.postgres, onLine);
    for (let round = 1; round <= 2; round += 1) await job('temporal-schema');
    await service('temporal');
    for (let round = 1; round <= 2; round += 1) await job('temporal-namespace');
    for (let round = 1; round <= 2; round += 1) await job('migrate');
    if (isTrial) await service('chain');
    const signer = await service('signer');
    const worker = await service('worker');
    const api = await service('api');
    await proveContainment([signer, worker, api]);
    if (isTrial) {
      await job('first-run');
      say(`transfer  ${await transferOnce(ROOT, join(stage, 'volumes', 'first-run', 'first-run.json'))}`);
    } else {
      const how = await container('first-run').exited;
      say(`refused   first-run in production: exit code ${how} · ${logs.at(-1)}`);
    }
    for (const running of started.splice(0)) say(`ended     ${running.name}: ${await running.end()}`);
    say('The rehearsal of the compose file is complete.');
  } finally {
    for (const running of started) await running.end();
    await postgres?.stop(10_000);
    spawnSync('umount', ['/etc/hosts']);
    rmSync(stage, { recursive: true, force: true });
  }
}

/** Copies the programs of third-party images, under the same names as in the images. */
async function gatherPrograms(bin) {
  mkdirSync(bin);
  const where = { root: ROOT, cacheFolder: process.env.STRONGROOM_CACHE || join(ROOT, '.cache'), env: process.env };
  const { value: onPostgres } = await findTemporalOnPostgres(where);
  const { value: cli } = await findTemporal(where);
  const { value: anvil } = await findAnvil(where);
  const node = process.env.REHEARSAL_NODE || process.execPath;
  const programs = { node, anvil, temporal: cli, 'temporal-server': onPostgres.server, 'temporal-sql-tool': onPostgres.sql };
  for (const [name, from] of Object.entries(programs)) {
    copyFileSync(from, join(bin, name));
    chmodSync(join(bin, name), 0o755);
  }
  // Replaces busybox's nc, which the image of Temporal's server contains.
  writeFileSync(
    join(bin, 'nc'),
    `#!${join(bin, 'node')}\nrequire('node:net').connect(+process.argv[4], process.argv[3]).once('connect', () => process.exit(0)).once('error', () => process.exit(1));\n`,
    { mode: 0o755 },
  );
  say(
    `programs  node ${execFileSync(node, ['--version'], { encoding: 'utf8' }).trim()}, Temporal server and schema tool, Temporal CLI, anvil`,
  );
}

/** Starts Postgres. The script of the Postgres image then creates the roles and databases. */
async function startDatabases(stage, { command }, onLine) {
  const { value: bin } = await findPostgres({ root: ROOT });
  const password = readFileSync(join(stage, 'secrets', 'postgres-password'), 'utf8').trim();
  const place = await placeCluster({ bin, folder: join(stage, 'postgres'), env: process.env });
  await ensureCluster(place, { password, sync: false });
  const settings = Object.fromEntries(command.filter((word) => word.includes('=')).map((word) => word.split('=')));
  const postgres = await startPostgres(place, {
    port: 5432,
    socketFolder: join(stage, 'pg'),
    settings,
    onLine: (line) => onLine('postgres', line),
  });
  for (let tries = 0; !(await accepts(5432)) && tries < 50; tries += 1) await delay(100);
  const env = { PATH: process.env.PATH, PGHOST: '127.0.0.1', PGPASSWORD: password, SECRETS_FOLDER: join(stage, 'secrets') };
  execFileSync(join(ROOT, 'deploy', 'postgres', 'create-databases.sh'), { env, stdio: ['ignore', 'pipe', 'pipe'] });
  const asked = execFileSync(
    'psql',
    [
      '-At',
      '-U',
      'postgres',
      '-c',
      "SELECT string_agg(rolname || (CASE WHEN rolsuper OR rolbypassrls THEN '!' ELSE '' END), ' ' ORDER BY rolname) FROM pg_roles WHERE rolcanlogin",
    ],
    { env, encoding: 'utf8' },
  );
  say(`postgres  ${settings.max_connections} connections; roles that may sign in: ${asked.trim()}`);
  return postgres;
}

const accepts = (port) =>
  new Promise((resolve) => connect(port, '127.0.0.1', () => resolve(true)).once('error', () => resolve(false)));

/** Tries several forbidden actions in each container, and prints whether the container could perform them. */
async function proveContainment(containers) {
  const can = (container, ...words) =>
    container.ask(words).then(
      () => 'yes',
      () => 'no',
    );
  for (const container of containers) {
    const { stdout: id } = await container.ask(['id', '-u']);
    const write = await Promise.all(['/app/x', '/etc/x', '/usr/x', '/run/x'].map((path) => can(container, 'touch', path)));
    const scratch = await can(container, 'touch', '/tmp/x');
    const { stdout: secrets } = await container.ask(['ls', '/run/secrets']);
    const { stdout: links } = await container.ask(['cat', '/proc/net/dev']);
    const { stdout: status } = await container.ask(['grep', '-E', 'CapEff|NoNewPrivs', '/proc/1/status']);
    const out = await can(
      container,
      'node',
      '-e',
      "require('node:net').connect(5432, '127.0.0.1').once('connect', () => process.exit(0)).once('error', () => process.exit(1))",
    );
    say(
      `contained ${container.name}: uid ${id.trim()}, writes /app /etc /usr /run: ${write.join(' ')}, /tmp: ${scratch}, reaches Postgres: ${out}, links: ${links.match(/\w+(?=:)/g).join(' ')}, ${status.trim().replaceAll(/\s+/g, ' ')}, sees ${secrets.trim().split('\n').join(' ')}`,
    );
  }
}

try {
  if (process.argv.includes(INSIDE)) await rehearse();
  else process.exitCode = enterNamespaces();
} catch (error) {
  process.stderr.write(`${error instanceof Refusal ? error.message : error.stack}\n`);
  process.exitCode = 1;
}
