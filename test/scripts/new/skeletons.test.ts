import { join } from 'node:path';
import { copyTree } from '../../support/tree-copy';

let copy: ReturnType<typeof copyTree>;

beforeAll(() => {
  copy = copyTree();
});
afterAll(() => copy.remove());

test.each([
  ['no operation id', 'operation.mjs', ['auth', 'users']],
  ['an operation id in a wrong format', 'operation.mjs', ['auth', 'users', 'Get-User']],
  ['a path without its parameter', 'operation.mjs', ['auth', 'users', 'getUserName', '/auth/names']],
  ['an unknown family', 'network.mjs', ['Algorand2', 'ed25519', '1', 'ALGO']],
  ['no chain id', 'network.mjs', ['LineaSepolia', 'evm']],
  ['an existing network', 'network.mjs', ['BaseSepolia', 'evm', '84532', 'ETH']],
])('%s is refused with the usage', async (_title, script, words) => {
  const { code, output } = await copy.node(join('scripts', 'new', script), ...words);
  expect({ code, output }).toEqual({ code: 1, output: expect.stringContaining('Usage: npm run new:') });
});

test('a generator never overwrites an existing file', async () => {
  const { code, output } = await copy.node('scripts/new/operation.mjs', 'auth', 'users', 'getUser');
  expect({ code, output }).toEqual({ code: 1, output: 'api/auth/users/get-user.ts exists already.\n' });
});
