import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { portOf, readSettings } from './settings.mjs';

/**
 * The files that a start creates. `CLUSTER` matches the files with the rows of a deployment. `BESIDE` matches the other files,
 * which a restore can leave in place.
 */
const CLUSTER = /^(postgres|postgres\.partial|\.postgres\.partial-password)$/;
const BESIDE =
  /^(temporal|chain|networks|signer|secrets|mails|fleets|first-run\.json(\.partial)?|ports\.json(\.partial)?|lock|lock\..*|\.writable-.*)$/;

export const isCluster = (name) => CLUSTER.test(name);
export const isMadeByAStart = (name) => CLUSTER.test(name) || BESIDE.test(name);

const PORTS_FILE = 'ports.json';
/** Paths that no other program creates. A folder with the name `mails` or `chain` could belong to any program. */
const MARKS = [PORTS_FILE, 'first-run.json', 'secrets/signer-auth', 'secrets/database.json', 'postgres/PG_VERSION'];

/**
 * Only a mark proves that a start has used this folder. The lock is not a proof, because a start that ended early may have left
 * only the lock, in a folder of another program.
 */
export const isDataFolder = (folder) => MARKS.some((path) => existsSync(join(folder, path)));

/** A reset deletes the marks last, so that a reset after an interrupted reset still accepts the folder. */
export const isMark = (name) => MARKS.includes(name);

/** Saves ports and local networks as the environment variables that set them. */
export function rememberPorts({ dataFolder, ports, localNetworks }) {
  const variables = Object.fromEntries(Object.entries(ports).map(([role, port]) => [portOf(role).variable, String(port)]));
  const all = { ...variables, LOCAL_NETWORKS: localNetworks.map(({ name }) => name).join(',') };
  const file = join(dataFolder, PORTS_FILE);
  writeFileSync(`${file}.partial`, `${JSON.stringify(all, null, 2)}\n`, { mode: 0o600 });
  renameSync(`${file}.partial`, file);
}

/**
 * The settings of the service that runs, or last ran, on the data folder. A port that the environment sets by its own variable
 * overrides the saved port. `PORT_OFFSET` has no effect on saved ports.
 */
export function settingsOfRunning(root, env) {
  const file = join(readSettings(root, env).dataFolder, PORTS_FILE);
  const kept = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {};
  const given = Object.fromEntries(Object.entries(env).filter(([, value]) => value));
  return readSettings(root, { ...kept, ...given });
}

/** The limit in bytes. A socket whose whole path is longer than about 100 bytes does not listen, and no error is reported. */
const SOCKET_FOLDER_BYTES_MAX = 70;

/** Describes the socket folder of a start: its parent folder, and the beginning of its name. */
export function runtimePrefix(dataFolder) {
  const name = `strongroom-${createHash('sha256').update(dataFolder).digest('hex').slice(0, 8)}-`;
  const parent = Buffer.byteLength(join(tmpdir(), `${name}XXXXXX`)) > SOCKET_FOLDER_BYTES_MAX ? '/tmp' : tmpdir();
  return { parent, name };
}

/** Socket folders that earlier starts on this data folder have left. */
export function runtimeFoldersOf(dataFolder) {
  const { parent, name } = runtimePrefix(dataFolder);
  return readdirSync(parent)
    .filter((entry) => entry.startsWith(name))
    .map((entry) => join(parent, entry))
    .filter((path) => statSync(path, { throwIfNoEntry: false })?.uid === process.getuid());
}
