import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { cached, onPath } from './cache.mjs';
import { TRIPLES, unpackDebian } from './debian.mjs';
import { Refusal, run } from './run.mjs';
import { announce } from './step.mjs';

/**
 * Since this version, one context object serves all purposes, and the default build includes the modules that the signer needs.
 */
const VERSION_MINIMUM = '0.2.0';
/** Must agree with tools/libsecp256k1/Cargo.lock and `CRATE_PREFIX`. */
const CRATE = 'secp256k1-sys-0.14.1';
const CRATE_PREFIX = 'rustsecp256k1_v0_14_';
const ASKED_WITHIN_MS = 20_000;
const FETCHED_WITHIN_MS = 5 * 60_000;
const HEADERS = ['', '_extrakeys', '_preallocated', '_recovery', '_schnorrsig'].map((part) => `secp256k1${part}.h`);
const SOURCES = ['secp256k1.c', 'precomputed_ecmult.c', 'precomputed_ecmult_gen.c'];
/** The same tables and modules as in the library's default build. */
const SOURCE_FLAGS = [
  ...['EXTRAKEYS', 'RECOVERY', 'SCHNORRSIG'].map((module) => `-DENABLE_MODULE_${module}`),
  ...['-DECMULT_WINDOW_SIZE=15', '-DCOMB_BLOCKS=43', '-DCOMB_TEETH=6', '-DSECP256K1_NO_API_VISIBILITY_ATTRIBUTES'],
  ...(process.arch === 'x64' ? ['-DUSE_ASM_X86_64=1'] : []),
];

/**
 * The ways to find libsecp256k1, in order; `LIBSECP256K1_PATH` excludes the other ways. `args` are the compiler's arguments,
 * and `digest` identifies the used files of the library. `shared` is the shared library, which must be in the addon's folder.
 * `shared` is absent if the source is compiled into the addon, or if no `libsecp256k1.so.<n>` leads to the library's file.
 */
export function waysToLibrary({ root, cacheFolder, env }) {
  const given = env.LIBSECP256K1_PATH;
  if (given) return [{ way: `LIBSECP256K1_PATH (${given})`, attempt: () => givenLibrary(given) }];
  const platform = `${process.platform}-${process.arch}`;
  const suite = debianSuite();
  const debian = join(cacheFolder, `libsecp256k1-debian-${suite}-${platform}`);
  const crate = join(cacheFolder, `libsecp256k1-${CRATE}`);
  const fill = async (folder, work) => cached(cacheFolder, folder.slice(cacheFolder.length + 1), work);
  return [
    { way: "the system's libsecp256k1, by pkg-config", attempt: () => systemLibrary(env) },
    { way: "Debian's package in the cache", attempt: () => (existsSync(debian) ? debianLibrary(debian) : undefined) },
    { way: `${CRATE} in the cache`, attempt: () => (existsSync(crate) ? crateLibrary(root, crate) : undefined) },
    {
      way: "Debian's package, by apt into the cache",
      attempt: async () => {
        if (!suite) throw new Error('this machine does not run Debian');
        return debianLibrary(await fill(debian, (folder) => fetchDebian(folder, suite, env)));
      },
    },
    {
      way: `${CRATE}, by cargo into the cache`,
      attempt: async () => crateLibrary(root, await fill(crate, (folder) => fetchCrate(root, folder, env))),
    },
  ];
}

function givenLibrary(folder) {
  try {
    return installedLibrary(join(folder, 'include'), join(folder, 'lib'));
  } catch (error) {
    throw new Refusal(`LIBSECP256K1_PATH is not the prefix of an installed libsecp256k1: ${error.message}`);
  }
}

async function systemLibrary(env) {
  if (!onPath('pkg-config', env)) throw new Error('pkg-config is not installed');
  const ask = async (question) => {
    const { stdout } = await run('pkg-config', [question, 'libsecp256k1'], { env, limitMs: ASKED_WITHIN_MS });
    return stdout.trim();
  };
  const version = await ask('--modversion');
  await ask(`--atleast-version=${VERSION_MINIMUM}`).catch(() => {
    throw new Error(`version ${version} is older than ${VERSION_MINIMUM}`);
  });
  return installedLibrary(await ask('--variable=includedir'), await ask('--variable=libdir'));
}

const debianLibrary = (folder) =>
  installedLibrary(join(folder, 'usr', 'include'), join(folder, 'usr', 'lib', TRIPLES[process.arch].folder));

function installedLibrary(includes, libraries) {
  const missing = HEADERS.find((name) => !existsSync(join(includes, name)));
  if (missing) throw new Error(`${missing} is not in ${includes}`);
  const link = join(libraries, `libsecp256k1.${process.platform === 'darwin' ? 'dylib' : 'so'}`);
  if (!existsSync(link)) throw new Error(`${link} does not exist`);
  const file = realpathSync(link);
  const hash = createHash('sha256').update(readFileSync(file));
  for (const name of HEADERS) hash.update(readFileSync(join(includes, name)));
  const name = readdirSync(libraries).find(
    (entry) => /^libsecp256k1\.so\.\d+$/.test(entry) && realpathSync(join(libraries, entry)) === file,
  );
  return { args: [`-I${includes}`, file], shared: name && { name, file }, digest: hash.digest('hex') };
}

/** Cargo has compared the crate with its checksum, so the checksum goes into `digest`. */
function crateLibrary(root, folder) {
  const library = join(folder, CRATE, 'depend', 'secp256k1');
  const includes = ['include', 'src', '.'].map((name) => `-I${join(library, name)}`);
  const sources = SOURCES.map((name) => join(library, 'src', name));
  const [, checksum] = /name = "secp256k1-sys"\n.*\n.*\nchecksum = "(\w+)"/.exec(readFileSync(lockOf(root), 'utf8')) ?? [];
  if (!checksum) throw new Error('tools/libsecp256k1/Cargo.lock has no checksum of it');
  const args = [`-DSECP_PREFIX=${CRATE_PREFIX}`, ...SOURCE_FLAGS, ...includes, ...sources];
  return { args, digest: `${checksum} ${CRATE_PREFIX} ${SOURCE_FLAGS}` };
}

const lockOf = (root) => join(root, 'tools', 'libsecp256k1', 'Cargo.lock');

/**
 * The Debian release of this machine; undefined on other systems. Only a package of this release is certain to run with the
 * machine's C library.
 */
function debianSuite() {
  const file = '/etc/os-release';
  const text = existsSync(file) ? readFileSync(file, 'utf8') : '';
  return /^ID=debian$/m.test(text) ? /^VERSION_CODENAME=(\w+)$/m.exec(text)?.[1] : undefined;
}

async function fetchDebian(folder, suite, env) {
  const saying = "fetching Debian's libsecp256k1, once: 15 MB, about 10 seconds";
  const keep = (name) => name.startsWith('libsecp256k1');
  await unpackDebian(folder, { suites: [suite], packages: ['libsecp256k1-dev'], keep, saying, env });
}

async function fetchCrate(root, folder, env) {
  const cargo = onPath('cargo', env);
  if (!cargo) throw new Error('cargo is not installed');
  if (!existsSync(lockOf(root))) throw new Error('tools/libsecp256k1 is not here');
  announce(`fetching ${CRATE} with cargo, once: about 5 seconds`);
  const words = ['vendor', '--locked', '--versioned-dirs', folder];
  await run(cargo, words, { cwd: join(root, 'tools', 'libsecp256k1'), env, limitMs: FETCHED_WITHIN_MS });
}
