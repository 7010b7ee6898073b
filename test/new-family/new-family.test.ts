import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { SHIPPED_FOLDERS } from '../../support/import-table';
import { copyTree } from '../../support/tree-copy';

/** What ships alone: the tests of the copy take longer to read than everything that could lack a family. */
const PRODUCT = { extends: './tsconfig.json', compilerOptions: { tsBuildInfoFile: '.tsbuildinfo' }, include: SHIPPED_FOLDERS };
const TSC = ['typescript/bin/tsc', '--project', 'tsconfig.product.json'] as const;
const PRETENCE = [
  'scripts/new/family.mjs',
  'pretence',
  'PretenceTestnet',
  'pretence-1',
  'PRE',
  '7',
  'EdDSA',
  'ed25519',
  'Solana',
];
const NAMES = 'domain/networks.ts';
/** The records of the families, by layer. In all of them a family is one line, beside its import. */
const RECORDS = [
  'activities/outgoing/families.ts',
  'application/causes/families.ts',
  'application/outgoing/families.ts',
  'application/signatures/families.ts',
  'application/wallets/families.ts',
  'chains/codecs.ts',
  'chains/decoders.ts',
  'chains/gateways.ts',
  'chains/network-settings.ts',
  'chains/networks.ts',
  'chains/readers.ts',
  'chains/types.ts',
  'domain/capabilities.ts',
  'operator/reconcile/families.ts',
  'signer/judging/families.ts',
];
/** What joins record and maker of a family cannot be sure of either while the types of one are missing. */
const JOIN = 'chains/families.ts';
let copy: ReturnType<typeof copyTree>;

jest.setTimeout(600_000);

beforeAll(() => {
  copy = copyTree();
  writeFileSync(join(copy.path, 'tsconfig.product.json'), JSON.stringify(PRODUCT));
});
afterAll(() => copy.remove());

const read = (path: string) => readFileSync(join(copy.path, path), 'utf8');
/** `path: message` of each complaint of the compiler, the places left out. */
async function complaints(): Promise<readonly string[]> {
  const { code, output } = await copy.tool(...TSC);
  const found = [...output.matchAll(/^(\S+?)\(\d+,\d+\): error (.+)$/gm)].map(([, path, message]) => `${path}: ${message}`);
  expect(found.length > 0).toBe(code !== 0);
  return found;
}
const pathOf = (complaint: string) => complaint.slice(0, complaint.indexOf(':'));
/** Lines that only one of two texts has, formatting apart. */
const linesOnlyIn = (text: string, other: string) => {
  const others = new Set(other.split('\n'));
  return text.split('\n').filter((line) => !others.has(line));
};

test('the compiler names every record that lacks a family, and no other file that ships, once its name is there', async () => {
  const before = read(NAMES);
  const named = before
    .replace(/(FAMILIES = \[[^\]]*)\]/, "$1, 'pretence']")
    .replace(/(\n\} as const satisfies)/, "\n  pretence: ['PretenceTestnet'],$1");
  writeFileSync(join(copy.path, NAMES), named);
  const found = await complaints();
  writeFileSync(join(copy.path, NAMES), before);

  expect([...new Set(found.map(pathOf))].sort()).toEqual([...RECORDS, JOIN].sort());
  for (const complaint of found.filter((one) => pathOf(one) !== JOIN)) expect(complaint).toMatch(/pretence|PretenceTestnet/);
});

test('the skeleton of a family adds its own files and one line to each record, and all of it compiles', async () => {
  const texts = new Map([NAMES, ...RECORDS].map((path) => [path, read(path)]));
  const { code, output } = await copy.node(...PRETENCE);
  expect({ code, output }).toMatchObject({ code: 0 });

  const own = [
    'application/outgoing/pretence/family.ts',
    ...['codec', 'decoder', 'networks/pretence-testnet', 'types'].map((name) => `chains/pretence/${name}.ts`),
  ];
  const written = [...output.matchAll(/^ {2}(\S+)$/gm)].map(([, path]) => path ?? '').sort();
  expect(written).toEqual([...RECORDS, ...own, NAMES, 'test/durable-names.json'].sort());
  for (const [path, before] of texts) {
    const isImport = (line: string) => line.startsWith('import ');
    expect(linesOnlyIn(before, read(path)).filter((line) => !isImport(line) && path !== NAMES)).toEqual([]);
    const added = linesOnlyIn(read(path), before).filter((line) => !isImport(line));
    for (const line of added) expect(line).toMatch(/pretence|absent\(/i);
  }
  expect(await complaints()).toEqual([]);
});

test.each([
  ['nothing', []],
  ['a family that is there', ['evm', 'PretenceTestnet', '1', 'PRE', '7', 'EdDSA', 'ed25519', 'Solana']],
  ['a network that is there', ['other', 'Bitcoin', '1', 'PRE', '7', 'EdDSA', 'ed25519', 'Solana']],
  ['a form of keys that nothing signs with', ['other', 'OtherTestnet', '1', 'PRE', '7', 'EdDSA', 'secp256k1', 'Solana']],
  ['fee estimates of no known form', ['other', 'OtherTestnet', '1', 'PRE', '7', 'EdDSA', 'ed25519', 'Free']],
])('%s is refused with the usage', async (_title, words) => {
  const { code, output } = await copy.node('scripts/new/family.mjs', ...words);
  expect({ code, output }).toEqual({ code: 1, output: expect.stringContaining('Usage: npm run new:family') });
});
