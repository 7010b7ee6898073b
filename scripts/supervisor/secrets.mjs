import { createPublicKey, generateKeyPairSync, randomBytes } from 'node:crypto';
import {
  closeSync,
  existsSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';

/**
 * Creates missing secrets and returns the paths of all secrets. An existing secret is never replaced, because the secret may
 * seal stored data.
 */
export function ensureSecrets(dataFolder) {
  const folder = join(dataFolder, 'secrets');
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const hex32 = () => randomBytes(32).toString('hex');
  return {
    signerKek: keep(join(folder, 'signer-kek'), 0o400, hex32),
    dataKek: keep(join(folder, 'data-kek'), 0o400, hex32),
    signerAuth: keep(join(folder, 'signer-auth'), 0o400, hex32),
    tokenKey: keep(join(folder, 'token-key.pem'), 0o400, ed25519Pem),
  };
}

const ed25519Pem = () => generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' });

const operatorKeyIn = (dataFolder) => join(dataFolder, 'secrets', 'operator-key.pem');

/** Creates the missing key of the trial's operator. Only a trial has this key next to its service. */
export const ensureOperatorKey = (dataFolder) => keep(operatorKeyIn(dataFolder), 0o400, ed25519Pem);

/** The public half in hex, or undefined for a trial whose operator has no key. */
export function operatorPublicHex(dataFolder) {
  const path = operatorKeyIn(dataFolder);
  if (!existsSync(path)) return undefined;
  return createPublicKey(readFileSync(path)).export({ type: 'spki', format: 'der' }).subarray(-32).toString('hex');
}

/**
 * Creates missing passwords. Each database role has its own password. No process of the service uses the password of the
 * superuser.
 */
export function ensureDatabasePasswords(dataFolder) {
  const path = join(dataFolder, 'secrets', 'database.json');
  const password = () => randomBytes(24).toString('hex');
  const known = existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : {};
  const missing = ['superuser', 'owner', 'app', 'worker', 'relay'].filter((role) => known[role] === undefined);
  if (missing.length === 0) return known;
  const all = { ...known, ...Object.fromEntries(missing.map((role) => [role, password()])) };
  write(`${path}.partial`, 0o600, JSON.stringify(all));
  renameSync(`${path}.partial`, path);
  return all;
}

/** Creates a missing file. The file gets its name only after its content is on the disk, so a crash cannot leave half a key. */
function keep(path, mode, make) {
  if (existsSync(path)) return path;
  const partial = `${path}.partial`;
  write(partial, mode, make());
  linkSync(partial, path);
  rmSync(partial);
  return path;
}

function write(path, mode, text) {
  rmSync(path, { force: true });
  const file = openSync(path, 'wx', mode);
  writeSync(file, text);
  fsyncSync(file);
  closeSync(file);
}
