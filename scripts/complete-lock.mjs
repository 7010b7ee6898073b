// node scripts/complete-lock.mjs: adds missing entries and integrity hashes to package-lock.json. npm does not write an entry for
// an optional dependency that its registry does not serve, and `npm ci` then refuses the lock file. `prepare/node.mjs` refuses an
// entry without an integrity hash.
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { nameOf } from './prepare/node.mjs';
import { run } from './prepare/run.mjs';

const FILE = join(dirname(fileURLToPath(import.meta.url)), '..', 'package-lock.json');
const SYSTEMS = ['darwin', 'linux', 'win32', 'android', 'freebsd', 'openharmony', 'aix', 'sunos', 'netbsd', 'openbsd'];
const PROCESSORS = ['x64', 'arm64', 'arm', 'ia32', 'ppc64', 'ppc64le', 'riscv64', 's390x', 'loong64', 'wasm32'];
const ANSWERED_WITHIN_MS = 30_000;
const EXACT = /^[\^~=]?(\d+\.\d+\.\d+\S*)$/;

/**
 * Whether the package at `path` would find the package `name`. Node looks in the `node_modules` of the folder and of each
 * folder above.
 */
export function isLocked(packages, path, name) {
  for (let at = path; ; at = at.includes('/node_modules/') ? at.slice(0, at.lastIndexOf('/node_modules/')) : '') {
    if (packages[`${at === '' ? '' : `${at}/`}node_modules/${name}`]) return true;
    if (at === '') return false;
  }
}

/** Optional dependencies that other entries name, but that have no entry themselves. */
export function missingFrom(packages) {
  return Object.entries(packages).flatMap(([path, parent]) =>
    Object.entries(parent.optionalDependencies ?? {})
      .filter(([name]) => !isLocked(packages, path, name))
      .map(([name, range]) => ({ name, range, parent })),
  );
}

/**
 * Derives the entry from the package's name: `@swc/core-linux-arm64-musl` states the system, the processor and the C library.
 */
function entryOf({ name, range, parent }) {
  const words = name.split('/').pop().split(/[-_]/);
  const os = SYSTEMS.find((system) => words.includes(system));
  const cpu = PROCESSORS.find((processor) => words.includes(processor));
  const version = EXACT.exec(range)?.[1];
  if (!os || !cpu || !version) throw new Error(`${name}@${range}: the name does not contain its platform`);
  const abi = words.find((word) => word.startsWith('gnu') || word.startsWith('musl'));
  return {
    version,
    cpu: [cpu],
    ...(parent.dev ? { dev: true } : {}),
    ...(parent.license ? { license: parent.license } : {}),
    optional: true,
    os: [os],
    ...(os === 'linux' && abi ? { libc: [abi.startsWith('musl') ? 'musl' : 'glibc'] } : {}),
  };
}

/** Fills in missing hashes. `ask` returns the hash of `name@version`. Returns the packages that still have no hash. */
export async function fillHashes(packages, ask) {
  const left = [];
  for (const [path, entry] of Object.entries(packages)) {
    if (path === '' || entry.link || entry.integrity) continue;
    const which = `${nameOf(path)}@${entry.version}`;
    const integrity = await ask(which);
    if (/^sha512-[A-Za-z0-9+/]{86}==$/.test(integrity ?? '')) entry.integrity = integrity;
    else left.push(which);
  }
  return left;
}

async function askRegistry(which) {
  try {
    const { stdout } = await run('npm', ['view', which, 'dist.integrity'], { limitMs: ANSWERED_WITHIN_MS });
    return stdout.trim();
  } catch {
    return undefined;
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const lock = JSON.parse(readFileSync(FILE, 'utf8'));
  const missing = missingFrom(lock.packages);
  for (const one of missing) lock.packages[`node_modules/${one.name}`] = entryOf(one);
  lock.packages = Object.fromEntries(Object.entries(lock.packages).sort(([a], [b]) => a.localeCompare(b, 'en')));
  const left = await fillHashes(lock.packages, askRegistry);
  writeFileSync(FILE, `${JSON.stringify(lock, null, 2)}\n`);
  process.stdout.write(`${missing.length} entries added\n`);
  if (left.length > 0)
    process.stdout.write(`not served by this registry, so without a hash:\n${left.map((one) => `  ${one}\n`).join('')}`);
}
