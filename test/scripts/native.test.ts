import { chmodSync, cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { inline, ROOT, run, SCRIPTS } from './script';

const HEADERS = ['', '_extrakeys', '_preallocated', '_recovery', '_schnorrsig'];
const LIBRARY = process.platform === 'darwin' ? 'libsecp256k1.dylib' : 'libsecp256k1.so.1';
const MULTIARCH = process.arch === 'arm64' ? 'aarch64-linux-gnu' : 'x86_64-linux-gnu';
let folder: string;
const at = (...words: string[]) => join(folder, ...words);

/** Writes a tool of a few shell lines into the only folder of PATH. */
function tool(name: string, ...lines: string[]): void {
  writeFileSync(at('bin', name), `#!/bin/sh\n${lines.join('\n')}\n`);
  chmodSync(at('bin', name), 0o755);
}

/** Writes the files that an installation of the library would leave. No test here compiles with these files. */
function installLibrary(includes: string, libraries: string): void {
  for (const path of [includes, libraries]) {
    rmSync(path, { recursive: true, force: true });
    mkdirSync(path, { recursive: true });
  }
  for (const part of HEADERS) writeFileSync(join(includes, `secp256k1${part}.h`), '');
  writeFileSync(join(libraries, LIBRARY), 'code');
  if (process.platform !== 'darwin') symlinkSync(LIBRARY, join(libraries, 'libsecp256k1.so'));
}

const installPkgConfig = (version: string, isNewEnough = true) => {
  installLibrary(at('system', 'include'), at('system', 'lib'));
  tool(
    'pkg-config',
    `case $1 in --modversion) echo ${version};; --atleast*) exit ${isNewEnough ? 0 : 1};; *includedir) echo ${at('system', 'include')};; *libdir) echo ${at('system', 'lib')};; esac`,
  );
};

const LOAD = `const { waysToLibrary } = await import('${SCRIPTS}/prepare/secp256k1.mjs');
const { firstThatWorks } = await import('${SCRIPTS}/prepare/step.mjs');
const { findNative } = await import('${SCRIPTS}/prepare/native.mjs');
const { Refusal } = await import('${SCRIPTS}/prepare/run.mjs');`;
const Answer = z.looseObject({
  detail: z.string().optional(),
  refusal: z.string().optional(),
  value: z.looseObject({ args: z.array(z.string()) }).optional(),
});
const evaluate = async (expression: string, more: Record<string, string> = {}) => {
  const where = JSON.stringify({ root: at('clone'), cacheFolder: at('cache'), env: { PATH: at('bin'), ...more } });
  const source = `${LOAD} const where = ${where};
    try { console.log(JSON.stringify(await (${expression}))); }
    catch (error) { if (!(error instanceof Refusal)) throw error; console.log(JSON.stringify({ refusal: error.message })); }`;
  const { output } = await run(inline(source));
  const last = output.trim().split('\n').at(-1) ?? '';
  return Answer.parse(JSON.parse(last.startsWith('{') ? last : JSON.stringify({ fault: output })));
};
const library = (more?: Record<string, string>) =>
  evaluate("firstThatWorks('It', waysToLibrary(where), 'Set LIBSECP256K1_PATH.')", more);
const native = (more?: Record<string, string>) => evaluate('findNative(where)', more);

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'strongroom-native-'));
  for (const name of ['bin', 'cache', 'clone/signer']) mkdirSync(at(name), { recursive: true });
  cpSync(join(ROOT, 'signer', 'native'), at('clone', 'signer', 'native'), { recursive: true });
  cpSync(join(ROOT, 'tools'), at('clone', 'tools'), { recursive: true });
  symlinkSync(join(ROOT, 'node_modules'), at('clone', 'node_modules'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Installs a `cargo` that creates the folder of the crate, and fails without `--locked`. */
const installCargo = () =>
  tool(
    'cargo',
    '[ "$1 $2 $3" = "vendor --locked --versioned-dirs" ] || exit 9',
    '/bin/mkdir -p "$4/secp256k1-sys-0.14.1/depend/secp256k1/src"',
  );

test('the repository contains the name and the checksum of the library’s crate, but not its source', () => {
  expect(existsSync(join(ROOT, 'signer', 'native', 'libsecp256k1'))).toBe(false);
  const lock = readFileSync(join(ROOT, 'tools', 'libsecp256k1', 'Cargo.lock'), 'utf8');
  expect(lock).toMatch(/name = "secp256k1-sys"\nversion = "0\.14\.1"\nsource = .*\nchecksum = "[0-9a-f]{64}"/);
});

test('the library of the system is preferred', async () => {
  installPkgConfig('0.5.1');
  installCargo();
  expect(await library()).toMatchObject({
    detail: "the system's libsecp256k1, by pkg-config",
    value: { args: [`-I${at('system', 'include')}`, at('system', 'lib', LIBRARY)] },
  });
});

test('the crate is used if the library of the system is missing, old or incomplete, and Debian cannot be reached', async () => {
  installCargo();
  tool('apt-get', 'echo "E: the archive does not answer" >&2', 'exit 100');
  tool('dpkg-deb', 'exit 1');
  const absent = await library();
  expect(absent).toMatchObject({ detail: 'secp256k1-sys-0.14.1, by cargo into the cache' });
  expect(absent.value?.args).toContain('-DSECP_PREFIX=rustsecp256k1_v0_14_');
  installPkgConfig('0.1.0', false);
  expect(await library()).toMatchObject({ detail: 'secp256k1-sys-0.14.1 in the cache' });
  installPkgConfig('0.5.1');
  rmSync(at('system', 'include', 'secp256k1_recovery.h'));
  expect(await library()).toMatchObject({ detail: 'secp256k1-sys-0.14.1 in the cache' });
});

test("Debian's package in the cache is preferred to the crate", async () => {
  const suite = /^ID=debian$/m.test(readFileSync('/etc/os-release', 'utf8'))
    ? /VERSION_CODENAME=(\w+)/.exec(readFileSync('/etc/os-release', 'utf8'))?.[1]
    : undefined;
  const root = at('cache', `libsecp256k1-debian-${suite}-${process.platform}-${process.arch}`, 'usr');
  installLibrary(join(root, 'include'), join(root, 'lib', MULTIARCH));
  installCargo();
  expect(await library()).toMatchObject({ detail: "Debian's package in the cache", value: { shared: { name: LIBRARY } } });
});

test('without any library the signer gets portable code, and the step reports what it tried and what to set', async () => {
  tool('cc', 'exit 1');
  mkdirSync(at('clone', 'dist', 'signer', 'native'), { recursive: true });
  writeFileSync(at('clone', 'dist', 'signer', 'native', 'strongroom.node'), 'of yesterday');
  const { detail, value } = await native();
  expect(value).toBeUndefined();
  for (const told of ['pkg-config is not installed', 'apt', 'cargo is not installed', 'LIBSECP256K1_PATH', 'portable code'])
    expect(detail).toContain(told);
  expect(existsSync(at('clone', 'dist', 'signer', 'native', 'strongroom.node'))).toBe(false);
});

test('the preparation ends if a library does not compile', async () => {
  installPkgConfig('0.5.1');
  tool('cc', 'echo "the compiler is broken" >&2', 'exit 1');
  const { refusal } = await native();
  expect(refusal).toMatch(/by pkg-config: the compiler is broken[\s\S]*cargo is not installed[\s\S]*LIBSECP256K1_PATH/);
});

test('if LIBSECP256K1_PATH is set, the preparation does not try any other library', async () => {
  installPkgConfig('0.5.1');
  expect(await library({ LIBSECP256K1_PATH: at('system') })).toMatchObject({ detail: `LIBSECP256K1_PATH (${at('system')})` });
  tool('cc', 'exit 1');
  expect(await native({ LIBSECP256K1_PATH: at('nowhere') })).toMatchObject({
    refusal: expect.stringMatching(/^LIBSECP256K1_PATH is not the prefix of an installed libsecp256k1: secp256k1\.h is not in/),
  });
});
