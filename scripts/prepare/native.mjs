import { createHash } from 'node:crypto';
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { cached, onPath } from './cache.mjs';
import { Refusal, run } from './run.mjs';
import { waysToLibrary } from './secp256k1.mjs';
import { announce, firstThatWorks } from './step.mjs';

const NAME = 'strongroom.node';
const SOURCES = ['addon.c', 'confine.c', 'root.c', 'signing.c', 'vault.c'];
const COMPILED_WITHIN_MS = 5 * 60_000;
const WITHOUT = 'the signer signs with portable code, which is slower and leaves copies of keys in memory';
const REMEDY =
  'Set LIBSECP256K1_PATH to the prefix of an installed libsecp256k1 (0.2.0 or newer), or CC to another C compiler, or\n' +
  '  SIGNER_ARITHMETIC=portable to sign with portable code.';
/** Some flags turn a memory fault into a crash, so that the fault cannot be exploited. */
const FLAGS = [
  ...['-std=c11', '-O2', '-fPIC', '-shared', '-fvisibility=hidden', '-fstack-protector-strong', '-D_FORTIFY_SOURCE=2'],
  ...(process.platform === 'darwin' ? ['-undefined', 'dynamic_lookup'] : ['-Wl,-z,relro,-z,now,-z,noexecstack']),
  // The loader looks first in the addon's folder, so LD_LIBRARY_PATH cannot replace the library.
  ...(process.platform === 'linux' ? ['-Wl,--disable-new-dtags,-rpath,$ORIGIN'] : []),
];

/**
 * Puts the signer's native addon into the folder from which the signer loads the addon. The value is undefined without a compiler
 * or a library, and with `SIGNER_ARITHMETIC=portable`. The signer must then use portable arithmetic. Throws a `Refusal` if
 * `LIBSECP256K1_PATH` is wrong, or if the addon does not compile with a library. A silent fallback would make the signer slower
 * and weaker.
 */
export async function findNative({ root, cacheFolder, env }) {
  const target = join(root, 'dist', 'signer', 'native');
  if (env.SIGNER_ARITHMETIC === 'portable') return { detail: 'not needed (SIGNER_ARITHMETIC=portable)', value: undefined };
  const without = (reason) => {
    for (const name of placedIn(target)) rmSync(join(target, name));
    return { detail: `${reason}: ${WITHOUT}`, value: undefined };
  };
  const compiler = compilerOf(env);
  if (!compiler) return without('no C compiler');
  let hasLibrary = false;
  const compileWith = async (library) => {
    hasLibrary = true;
    const key = `signer-native-${digestOf(root, library)}-${process.platform}-${process.arch}`;
    if (existsSync(join(cacheFolder, key))) return { folder: join(cacheFolder, key), how: 'kept' };
    announce(`compiling the signer's arithmetic with ${compiler}, once: about 10 seconds`);
    const folder = await cached(cacheFolder, key, (partial) => compile({ root, env, compiler, library, folder: partial }));
    return { folder, how: `compiled with ${compiler}` };
  };
  const ways = waysToLibrary({ root, cacheFolder, env }).map(({ way, attempt }) => ({
    way,
    attempt: async () => {
      const library = await attempt();
      return library && compileWith(library);
    },
  }));
  try {
    const { detail, value } = await firstThatWorks("The signer's arithmetic", ways, REMEDY);
    place(value.folder, target);
    return { detail: `${detail}, ${value.how}`, value: join(target, NAME) };
  } catch (error) {
    if (hasLibrary || env.LIBSECP256K1_PATH || !(error instanceof Refusal)) throw error;
    return without(`${error.message}\n  Until then`);
  }
}

function compilerOf(env) {
  const names = env.CC ? [env.CC] : ['cc', 'gcc', 'clang'];
  return names.map((name) => (name.includes('/') ? name : onPath(name, env))).find((path) => path && existsSync(path));
}

async function compile({ root, env, compiler, library, folder }) {
  const out = join(folder, NAME);
  const own = SOURCES.map((name) => join(root, 'signer', 'native', name));
  const headers = `-I${join(root, 'node_modules', 'node-api-headers', 'include')}`;
  if (library.shared) copyFileSync(library.shared.file, join(folder, library.shared.name));
  const limit = { cwd: root, env, limitMs: COMPILED_WITHIN_MS };
  await run(compiler, [...FLAGS, headers, ...own, ...library.args, '-o', out], limit);
  await run(process.execPath, ['-e', 'require(process.argv[1])', out], limit);
  writeFileSync(join(folder, 'library.json'), JSON.stringify(library.args)); // bench/signer.ts compiles with the same arguments
}

function digestOf(root, library) {
  const hash = createHash('sha256').update([...FLAGS, library.digest].join('\0'));
  const manifest = join(root, 'node_modules', 'node-api-headers', 'package.json');
  hash.update(JSON.parse(readFileSync(manifest, 'utf8')).version);
  const folder = join(root, 'signer', 'native');
  const names = readdirSync(folder).filter((name) => /\.[ch]$/.test(name));
  for (const name of names.sort()) hash.update(`\0${name}\0`).update(readFileSync(join(folder, name)));
  return hash.digest('hex').slice(0, 24);
}

/** The names of the addon, its shared library, and the file with the compiler's arguments. */
function placedIn(folder) {
  return existsSync(folder)
    ? readdirSync(folder).filter((name) => /^(strongroom\.node|lib.*\.so\.\d+|library\.json)$/.test(name))
    : [];
}

/** Replaces the files in `target`, the addon last. A running signer has loaded the old files and does not need the new files. */
function place(from, target) {
  mkdirSync(target, { recursive: true });
  const names = placedIn(from);
  for (const name of names.sort((one, other) => Number(one === NAME) - Number(other === NAME))) {
    if (existsSync(join(target, name)) && readFileSync(join(target, name)).equals(readFileSync(join(from, name)))) continue;
    const partial = join(target, `.${name}.${process.pid}.partial`);
    copyFileSync(join(from, name), partial);
    renameSync(partial, join(target, name));
  }
  for (const name of placedIn(target)) if (!names.includes(name)) rmSync(join(target, name));
}
