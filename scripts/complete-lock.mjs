// node scripts/complete-lock.mjs: adds the platform packages that the registry at hand could not describe to package-lock.json.
// npm leaves an optional dependency out of the lock when its registry does not serve it, and `npm ci` then refuses the lock.
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const FILE = join(dirname(fileURLToPath(import.meta.url)), '..', 'package-lock.json');
const SYSTEMS = ['darwin', 'linux', 'win32', 'android', 'freebsd', 'openharmony', 'aix', 'sunos', 'netbsd', 'openbsd'];
const PROCESSORS = ['x64', 'arm64', 'arm', 'ia32', 'ppc64', 'ppc64le', 'riscv64', 's390x', 'loong64', 'wasm32'];
const EXACT = /^[\^~=]?(\d+\.\d+\.\d+\S*)$/;

/** Node's own lookup: the package's own folder first, then each folder above it. */
export function isLocked(packages, path, name) {
  for (let at = path; ; at = at.includes('/node_modules/') ? at.slice(0, at.lastIndexOf('/node_modules/')) : '') {
    if (packages[`${at === '' ? '' : `${at}/`}node_modules/${name}`]) return true;
    if (at === '') return false;
  }
}

/** Optional dependencies that the lock names and does not describe. */
export function missingFrom(packages) {
  return Object.entries(packages).flatMap(([path, parent]) =>
    Object.entries(parent.optionalDependencies ?? {})
      .filter(([name]) => !isLocked(packages, path, name))
      .map(([name, range]) => ({ name, range, parent })),
  );
}

/** The entry of a platform package, read from its name: `@swc/core-linux-arm64-musl` says system, processor and C library. */
function entryOf({ name, range, parent }) {
  const words = name.split('/').pop().split(/[-_]/);
  const os = SYSTEMS.find((system) => words.includes(system));
  const cpu = PROCESSORS.find((processor) => words.includes(processor));
  const version = EXACT.exec(range)?.[1];
  if (!os || !cpu || !version) throw new Error(`${name}@${range}: the name does not say for which platform it is`);
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

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const lock = JSON.parse(readFileSync(FILE, 'utf8'));
  const missing = missingFrom(lock.packages);
  for (const one of missing) lock.packages[`node_modules/${one.name}`] = entryOf(one);
  lock.packages = Object.fromEntries(Object.entries(lock.packages).sort(([a], [b]) => a.localeCompare(b, 'en')));
  writeFileSync(FILE, `${JSON.stringify(lock, null, 2)}\n`);
  process.stdout.write(`${missing.length} entries added\n`);
}
