import { execFile } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const ROOT = resolve(__dirname, '../../..');
const LEFT_OUT = new Set(['node_modules', '.git', '.cache', '.data', 'coverage']);
const GUARDS = 'test/(tidy|durable-names|lint|chains/networks|chains/evm/networks/[\\w-]+)\\.test';
let copy: string;

jest.setTimeout(300_000);

type Ended = { readonly code: number; readonly output: string };

/** Without the server of this run: the tests of the copy would make its databases anew under those that run beside. */
function node(...args: string[]): Promise<Ended> {
  const { TEST_POSTGRES_URL: _server, ...env } = process.env;
  return new Promise((end) => {
    execFile(process.execPath, args, { cwd: copy, env, maxBuffer: 64 * 1024 * 1024 }, (error, out, err) => {
      end({ code: error === null ? 0 : Number(error.code ?? 1), output: out + err });
    });
  });
}
const tool = (path: string, ...args: string[]) => node(join('node_modules', path), ...args);

/** A copy of the tree, since a generator writes to the repository that it lies in. */
beforeAll(() => {
  copy = mkdtempSync(join(tmpdir(), 'strongroom-new-'));
  for (const name of readdirSync(ROOT)) if (!LEFT_OUT.has(name)) cpSync(join(ROOT, name), join(copy, name), { recursive: true });
  symlinkSync(join(ROOT, 'node_modules'), join(copy, 'node_modules'));
});
afterAll(() => rmSync(copy, { recursive: true, force: true }));

test('what the generators write passes what must hold before a push, as it is', async () => {
  expect(await node('scripts/new/operation.mjs', 'auth', 'users', 'getUserName')).toMatchObject({ code: 0 });
  expect(await node('scripts/new/operation.mjs', 'sanctions', 'lists', 'getSanctionList')).toMatchObject({ code: 0 });
  expect(await node('scripts/new/network.mjs', 'LineaSepolia', 'evm', '59141', 'ETH')).toMatchObject({ code: 0 });
  expect(await node('scripts/new/network.mjs', 'Linea', 'evm', '59144', 'ETH', 'mainnet')).toMatchObject({ code: 0 });

  expect(readFileSync(join(copy, 'openapi.json'), 'utf8')).toContain('"getSanctionList"');
  const checks = await Promise.all([
    tool('typescript/bin/tsc', '--noEmit', '--incremental', 'false'),
    tool('@biomejs/biome/bin/biome', 'check', 'api', 'chains', 'domain', 'test/api', 'test/chains'),
    node('dist/api/openapi-file.js', '--check'),
    tool('jest/bin/jest.js', '--selectProjects', 'unit', '--testPathPatterns', GUARDS),
  ]);
  for (const { code, output } of checks) if (code !== 0) throw new Error(output);
});

test.each([
  ['no operation id', 'operation.mjs', ['auth', 'users']],
  ['an operation id of another form', 'operation.mjs', ['auth', 'users', 'Get-User']],
  ['a path without its parameter', 'operation.mjs', ['auth', 'users', 'getUserName', '/auth/names']],
  ['an unknown family', 'network.mjs', ['Algorand2', 'ed25519', '1', 'ALGO']],
  ['no chain id', 'network.mjs', ['LineaSepolia', 'evm']],
  ['a network that is there', 'network.mjs', ['BaseSepolia', 'evm', '84532', 'ETH']],
])('%s is refused with the usage', async (_title, script, words) => {
  const { code, output } = await node(join('scripts', 'new', script), ...words);
  expect({ code, output }).toEqual({ code: 1, output: expect.stringContaining('Usage: npm run new:') });
});

test('what exists is never overwritten', async () => {
  const { code, output } = await node('scripts/new/operation.mjs', 'auth', 'users', 'getUser');
  expect({ code, output }).toEqual({ code: 1, output: 'api/auth/users/get-user.ts exists already.\n' });
});
