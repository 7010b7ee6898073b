import { createHash } from 'node:crypto';
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { cached, onPath } from './cache.mjs';
import { Refusal, run } from './run.mjs';
import { announce } from './step.mjs';

const NAME = 'strongroom.node';
const LIBRARY = 'libsecp256k1';
const SOURCES = ['addon.c', 'signing.c', 'vault.c'];
const LIBRARY_SOURCES = ['secp256k1.c', 'precomputed_ecmult.c', 'precomputed_ecmult_gen.c'];
const COMPILED_WITHIN_MS = 5 * 60_000;
/** The tables and modules that the library's own build takes, and what makes a fault in memory an end instead of an opening. */
const FLAGS = [
  ...['-std=c11', '-O2', '-fPIC', '-shared', '-fvisibility=hidden', '-fstack-protector-strong', '-D_FORTIFY_SOURCE=2'],
  ...['EXTRAKEYS', 'RECOVERY', 'SCHNORRSIG'].map((module) => `-DENABLE_MODULE_${module}`),
  ...['-DECMULT_WINDOW_SIZE=15', '-DCOMB_BLOCKS=43', '-DCOMB_TEETH=6', '-DSECP256K1_NO_API_VISIBILITY_ATTRIBUTES'],
  ...(process.arch === 'x64' ? ['-DUSE_ASM_X86_64=1'] : []),
  ...(process.platform === 'darwin' ? ['-undefined', 'dynamic_lookup'] : ['-Wl,-z,relro,-z,now,-z,noexecstack']),
];

/**
 * Compiles the signer's arithmetic once per state of its sources and puts it where the signer looks for it. Answers its path;
 * without a compiler undefined, and the signer is to be told. A compiler that fails is a Refusal: silence would be a slower, weaker signer.
 */
export async function findNative({ root, cacheFolder, env }) {
  const target = join(root, 'dist', 'signer', 'native', NAME);
  if (env.SIGNER_ARITHMETIC === 'portable') return { detail: 'not needed (SIGNER_ARITHMETIC=portable)', value: undefined };
  const key = `signer-native-${digestOfSources(root)}-${process.platform}-${process.arch}`;
  const kept = join(cacheFolder, key, NAME);
  let detail = 'cache';
  if (!existsSync(kept)) {
    const compiler = compilerOf(env);
    if (!compiler) {
      rmSync(target, { force: true });
      return { detail: 'no C compiler: the signer signs with portable code, slower and with copies of keys in its memory' };
    }
    announce(`compiling the signer's arithmetic with ${compiler}, once: about 10 seconds`);
    await cached(cacheFolder, key, (partial) => compile({ root, env, compiler, out: join(partial, NAME) }));
    detail = `compiled with ${compiler}`;
  }
  place(kept, target);
  return { detail, value: target };
}

function compilerOf(env) {
  const names = env.CC ? [env.CC] : ['cc', 'gcc', 'clang'];
  return names.map((name) => (name.includes('/') ? name : onPath(name, env))).find((path) => path && existsSync(path));
}

async function compile({ root, env, compiler, out }) {
  const folder = join(root, 'signer', 'native');
  const library = join(folder, LIBRARY);
  const headers = join(root, 'node_modules', 'node-api-headers', 'include');
  const includes = [headers, join(library, 'include'), join(library, 'src'), library].map((path) => `-I${path}`);
  const sources = [...SOURCES.map((name) => join(folder, name)), ...LIBRARY_SOURCES.map((name) => join(library, 'src', name))];
  try {
    await run(compiler, [...FLAGS, ...includes, ...sources, '-o', out], { cwd: root, env, limitMs: COMPILED_WITHIN_MS });
    await run(process.execPath, ['-e', 'require(process.argv[1])', out], { env, limitMs: COMPILED_WITHIN_MS });
  } catch (error) {
    throw new Refusal(
      `The signer's arithmetic could not be compiled with ${compiler}: ${error.message}\n` +
        '  Set CC to another C compiler, or SIGNER_ARITHMETIC=portable to sign without it.',
    );
  }
}

function digestOfSources(root) {
  const hash = createHash('sha256').update(FLAGS.join('\0'));
  const manifest = join(root, 'node_modules', 'node-api-headers', 'package.json');
  hash.update(JSON.parse(readFileSync(manifest, 'utf8')).version);
  const folder = join(root, 'signer', 'native');
  const names = readdirSync(folder, { recursive: true }).filter((name) => /\.[ch]$/.test(name));
  for (const name of names.sort()) hash.update(`\0${name}\0`).update(readFileSync(join(folder, name)));
  return hash.digest('hex').slice(0, 24);
}

/** A signer that runs keeps the file it has loaded; the next one finds the new one, never half of it. */
function place(from, target) {
  if (existsSync(target) && readFileSync(target).equals(readFileSync(from))) return;
  mkdirSync(dirname(target), { recursive: true });
  const partial = `${target}.${process.pid}.partial`;
  copyFileSync(from, partial);
  renameSync(partial, target);
}
