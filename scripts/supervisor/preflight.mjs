import { accessSync, constants, existsSync, mkdirSync, mkdtempSync, rmSync, statfsSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Refusal } from '../prepare/run.mjs';
import { runtimeFoldersOf, runtimePrefix } from './data-folder.mjs';
import { stateOf } from './ports.mjs';
import { portOf } from './settings.mjs';

/** With less free space, Postgres, Temporal and the chain could fail in the middle of a write. */
const DISK_FREE_MINIMUM_BYTES = 500 * 1024 * 1024;
/** The ports of a killed service become free within this time. */
const PORTS_FREE_WITHIN_MS = 10_000;
const CALLED_WITHIN_MS = 1_000;

export function checkDataFolder(folder) {
  try {
    makeFolder(folder);
    accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK);
    rmSync(mkdtempSync(join(folder, '.writable-')), { recursive: true });
  } catch (error) {
    throw new Refusal(
      `The data folder ${folder} cannot be written (${error.code ?? error.message}); set STRONGROOM_DATA to another folder.`,
    );
  }
}

/**
 * Creates the folder and missing parent folders, without Node's recursive mkdir. Below /proc, Node's mkdir never returns,
 * because every creation of a folder fails with ENOENT.
 */
function makeFolder(folder) {
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    if (error.code === 'EEXIST' && statSync(folder).isDirectory()) return;
    if (error.code !== 'ENOENT' || existsSync(dirname(folder))) throw error;
    makeFolder(dirname(folder));
    mkdirSync(folder, { mode: 0o700 });
  }
}

export function checkDisk(folder) {
  const { bavail, bsize } = statfsSync(folder);
  const free = bavail * bsize;
  if (free >= DISK_FREE_MINIMUM_BYTES) return;
  const mib = (bytes) => `${Math.floor(bytes / 1024 / 1024)} MiB`;
  throw new Refusal(
    `The disk of ${folder} is nearly full: ${mib(free)} free, ${mib(DISK_FREE_MINIMUM_BYTES)} needed; make room or set STRONGROOM_DATA to a folder on another disk.`,
  );
}

/**
 * Refuses if a port is taken, forbidden or blocked for browsers; with `patient`, first waits for the port to become free.
 * Returns the loopback addresses at which the API can listen.
 */
export async function checkPorts({ ports, listening }, { patient }) {
  const deadline = performance.now() + (patient ? PORTS_FREE_WITHIN_MS : 0);
  for (const role of listening) {
    const { name, variable, http } = portOf(role);
    for (let state = await stateOf(ports[role], '127.0.0.1'); state !== 'free'; state = await stateOf(ports[role], '127.0.0.1')) {
      const why = state === 'taken' ? 'is in use' : 'may not be used';
      if (performance.now() > deadline) throw new Refusal(`Port ${ports[role]} (${name}) ${why}; ${advice(variable)}`);
      await delay(100);
    }
    if (http && !(await mayBeCalled(ports[role]))) {
      throw new Refusal(`Port ${ports[role]} (${name}) is one that browsers and fetch never call; ${advice(variable)}`);
    }
  }
  const six = await stateOf(ports.api, '::1');
  if (six === 'taken') throw new Refusal(`Port ${ports.api} (the API) is in use on ::1; ${advice('PORT')}`);
  return six === 'free' ? ['127.0.0.1', '::1'] : ['127.0.0.1'];
}

/**
 * The Fetch standard blocks some ports, such as 6000. Neither a browser nor a readiness check could reach a server at a blocked
 * port.
 */
const mayBeCalled = (port) =>
  fetch(`http://127.0.0.1:${port}`, { method: 'HEAD', signal: AbortSignal.timeout(CALLED_WITHIN_MS) }).then(
    () => true,
    (error) => error.cause?.message !== 'bad port',
  );

const advice = (variable) => `set ${variable} to another port, or PORT_OFFSET to move all ports.`;

/** A private folder with a short path for sockets. Removes the socket folders that killed services have left. */
export function makeRuntimeFolder(dataFolder) {
  for (const path of runtimeFoldersOf(dataFolder)) rmSync(path, { recursive: true, force: true });
  const { parent, name } = runtimePrefix(dataFolder);
  return mkdtempSync(join(parent, name));
}
