import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { portOf, readSettings } from './settings.mjs';

/**
 * The names that a start creates in a data folder. The names in `CLUSTER` belong to files with a deployment's rows. The files
 * that `BESIDE` names may stay when a restore brings other rows.
 */
const CLUSTER = /^(postgres|postgres\.partial|\.postgres\.partial-password)$/;
const BESIDE =
  /^(temporal|chain|networks|signer|secrets|mails|first-run\.json(\.partial)?|ports\.json(\.partial)?|lock|lock\..*|\.writable-.*)$/;

export const isCluster = (name) => CLUSTER.test(name);
export const isMadeByAStart = (name) => CLUSTER.test(name) || BESIDE.test(name);

const PORTS_FILE = 'ports.json';
/** Files that only a start creates. A folder called `mails` or `chain`, in contrast, could belong to any program. */
const MARKS = [PORTS_FILE, 'first-run.json', 'secrets/signer-auth', 'secrets/database.json', 'postgres/PG_VERSION'];

/**
 * Tells whether a start has used this folder. Another name that a start creates, such as the lock, is no proof. The folders
 * next to the lock could come from another program.
 */
export const isDataFolder = (folder) => MARKS.some((path) => existsSync(join(folder, path)));

/** Tells whether this name is a mark. A reset deletes marks last, so that the user can repeat an interrupted reset. */
export const isMark = (name) => MARKS.includes(name);

/** Saves the ports and the local networks of this start, as the variables that choose them. */
export function rememberPorts({ dataFolder, ports, localNetworks }) {
  const variables = Object.fromEntries(Object.entries(ports).map(([role, port]) => [portOf(role).variable, String(port)]));
  const all = { ...variables, LOCAL_NETWORKS: localNetworks.map(({ name }) => name).join(',') };
  const file = join(dataFolder, PORTS_FILE);
  writeFileSync(`${file}.partial`, `${JSON.stringify(all, null, 2)}\n`, { mode: 0o600 });
  renameSync(`${file}.partial`, file);
}

/**
 * The settings of the service that runs, or last ran, on the data folder of this environment. A variable for one port overrides
 * the port that the start has saved. `PORT_OFFSET` overrides no saved port, because it shifts only ports that no variable sets.
 */
export function settingsOfRunning(root, env) {
  const file = join(readSettings(root, env).dataFolder, PORTS_FILE);
  const kept = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {};
  const given = Object.fromEntries(Object.entries(env).filter(([, value]) => value));
  return readSettings(root, { ...kept, ...given });
}

/**
 * The longest path of a folder for sockets, in bytes. The path of a socket is the folder's path and the socket's name. A socket
 * whose path is longer than about 100 bytes does not listen and reports no error.
 */
const SOCKET_FOLDER_BYTES_MAX = 70;

/** The parent folder and the name prefix of the socket folder that a start on this data folder makes. */
export function runtimePrefix(dataFolder) {
  const name = `strongroom-${createHash('sha256').update(dataFolder).digest('hex').slice(0, 8)}-`;
  const parent = Buffer.byteLength(join(tmpdir(), `${name}XXXXXX`)) > SOCKET_FOLDER_BYTES_MAX ? '/tmp' : tmpdir();
  return { parent, name };
}

/** The socket folders that earlier starts on this data folder have left behind. */
export function runtimeFoldersOf(dataFolder) {
  const { parent, name } = runtimePrefix(dataFolder);
  return readdirSync(parent)
    .filter((entry) => entry.startsWith(name))
    .map((entry) => join(parent, entry))
    .filter((path) => statSync(path, { throwIfNoEntry: false })?.uid === process.getuid());
}
