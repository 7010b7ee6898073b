import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { copyTree } from '../../support/tree-copy';

const GUARDS = 'test/(tidy|durable-names|lint|domain/permissions|chains/networks)\\.test';
let copy: ReturnType<typeof copyTree>;

jest.setTimeout(300_000);

beforeAll(() => {
  copy = copyTree();
});
afterAll(() => copy.remove());

test('the files that the generators write pass the checks before a push unchanged', async () => {
  expect(await copy.node('scripts/new/operation.mjs', 'auth', 'users', 'getUserName')).toMatchObject({ code: 0 });
  expect(await copy.node('scripts/new/operation.mjs', 'sanctions', 'lists', 'getSanctionList')).toMatchObject({ code: 0 });
  expect(await copy.node('scripts/new/network.mjs', 'LineaSepolia', 'evm', '59141', 'ETH')).toMatchObject({ code: 0 });
  expect(await copy.node('scripts/new/network.mjs', 'Linea', 'evm', '59144', 'ETH', 'mainnet')).toMatchObject({ code: 0 });
  const family = ['pretence', 'PretenceTestnet', 'pretence-1', 'PRE', '7', 'EdDSA', 'ed25519'];
  expect(await copy.node('scripts/new/family.mjs', ...family)).toMatchObject({ code: 0 });

  expect(readFileSync(join(copy.path, 'openapi.json'), 'utf8')).toContain('"getSanctionList"');
  const checks = await Promise.all([
    copy.tool('typescript/bin/tsc', '--noEmit', '--incremental', 'false'),
    copy.tool('@biomejs/biome/bin/biome', 'check', 'api', 'chains', 'domain', 'test/api', 'test/chains'),
    copy.node('dist/api/openapi-file.js', '--check'),
    copy.tool('jest/bin/jest.js', '--selectProjects', 'unit', '--testPathPatterns', GUARDS),
  ]);
  for (const { code, output } of checks) if (code !== 0) throw new Error(output);
});
