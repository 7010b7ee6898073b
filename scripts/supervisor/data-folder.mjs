import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { portOf, readSettings } from './settings.mjs';

/**
 * The names of the files that a start creates in a data folder. The files in `CLUSTER` contain the rows of a deployment. The
 * files in `BESIDE` contain no rows, so a restore can leave them in place.
 */
const CLUSTER = /^(postgres|postgres\.partial|\.postgres\.partial-password)$/;
const BESIDE =
  /^(temporal|chain|networks|signer|secrets|mails|first-run\.json(\.partial)?|ports\.json(\.partial)?|lock|lock\..*|\.writable-.*)$/;

export const isCluster = (name) => CLUSTER.test(name);
export const isMadeByAStart = (name) => CLUSTER.test(name) || BESIDE.test(name);

const PORTS_FILE = 'ports.json';
/**
 * Paths that no other program creates. A folder with the name `mails` or `chain` could belong to any program, so it is not in
 * this list.
 */
const MARKS = [PORTS_FILE, 'first-run.json', 'secrets/signer-auth', 'secrets/database.json', 'postgres/PG_VERSION'];

/**
 * Tells whether a start has used this folder. Only a mark proves that. The lock is no proof, because the lock could be the only
 * file of a start between the folders of another program.
 */
export const isDataFolder = (folder) => MARKS.some((path) => existsSync(join(folder, path)));

/**
 * Tells whether this name is a mark. A reset deletes the marks after all other files. After an interrupted reset, a mark is
 * therefore still there, and the next reset accepts the folder.
 */
export const isMark = (name) => MARKS.includes(name);

/** Saves the ports and the local networks of this start in a file, in the form of the environment variables that set them. */
export function rememberPorts({ dataFolder, ports, localNetworks }) {
  const variables = Object.fromEntries(Object.entries(ports).map(([role, port]) => [portOf(role).variable, String(port)]));
  const all = { ...variables, LOCAL_NETWORKS: localNetworks.map(({ name }) => name).join(',') };
  const file = join(dataFolder, PORTS_FILE);
  writeFileSync(`${file}.partial`, `${JSON.stringify(all, null, 2)}\n`, { mode: 0o600 });
  renameSync(`${file}.partial`, file);
}

/**
 * Returns the settings of the service that runs, or last ran, on the data folder. If the environment sets a port by its own
 * variable, this port overrides the saved port. `PORT_OFFSET` has no effect on saved ports, because each saved port counts as
 * set by its variable.
 */
export function settingsOfRunning(root, env) {
  const file = join(readSettings(root, env).dataFolder, PORTS_FILE);
  const kept = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {};
  const given = Object.fromEntries(Object.entries(env).filter(([, value]) => value));
  return readSettings(root, { ...kept, ...given });
}

/**
 * The longest path of a folder for sockets, in bytes. The path of a socket is the path of its folder and the name of the
 * socket. If this path is longer than about 100 bytes, the socket does not listen, and no error is reported.
 */
const SOCKET_FOLDER_BYTES_MAX = 70;

/**
 * Returns where a start on this data folder makes its socket folder: the parent folder, and the beginning of the socket
 * folder's name.
 */
export function runtimePrefix(dataFolder) {
  const name = `strongroom-${createHash('sha256').update(dataFolder).digest('hex').slice(0, 8)}-`;
  const parent = Buffer.byteLength(join(tmpdir(), `${name}XXXXXX`)) > SOCKET_FOLDER_BYTES_MAX ? '/tmp' : tmpdir();
  return { parent, name };
}

/** Returns the socket folders that earlier starts on this data folder have left behind. */
export function runtimeFoldersOf(dataFolder) {
  const { parent, name } = runtimePrefix(dataFolder);
  return readdirSync(parent)
    .filter((entry) => entry.startsWith(name))
    .map((entry) => join(parent, entry))
    .filter((path) => statSync(path, { throwIfNoEntry: false })?.uid === process.getuid());
}
