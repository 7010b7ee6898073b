import { cpSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { SHIPPED_FOLDERS } from '../support/import-table';
import { copyTree } from '../support/tree-copy';
import { createCompiler } from './compiler';

/** The whole family, as its author would write it. Every file except `proof.ts` is at its place in the tree. */
const WHOLE = join(__dirname, 'pretence');
const SKELETON = ['pretence', 'PretenceTestnet', 'pretence-1', 'PRE', '7', 'EdDSA', 'ed25519', '--no-build'] as const;
const NAMES = 'domain/networks.ts';
/** The records of the families, by layer. A family has one line in each record, in addition to its import. */
const RECORDS = [
  'activities/outgoing/families.ts',
  'api/families.ts',
  'application/bodies/families.ts',
  'application/causes/families.ts',
  'application/movements/families.ts',
  'application/networks/families.ts',
  'application/outgoing/families.ts',
  'application/outgoing/family-forms.ts',
  'application/signatures/families.ts',
  'application/wallets/families.ts',
  'chains/codecs.ts',
  'chains/decoders.ts',
  'chains/gateways.ts',
  'chains/network-settings.ts',
  'chains/networks.ts',
  'chains/readers.ts',
  'chains/scan-sources.ts',
  'chains/types.ts',
  'domain/capabilities.ts',
  'domain/fees.ts',
  'domain/transactions.ts',
  'operator/reconcile/families.ts',
  'signer/judging/families.ts',
  'signer/orders/families.ts',
];
/**
 * Records in which the family needs two lines: the second line is the network in one record, and the words for transactions in
 * the other.
 */
const TWO_LINES: readonly string[] = ['chains/networks.ts', 'domain/transactions.ts'];
/** Further files that change, because the signer has an order for the family. */
const OF_THE_ORDER = [
  'signer/client.ts',
  'signer/judging/people/sent-units.ts',
  'signer/judging/requests/assert-requested.ts',
  'signer/orders/operations.ts',
];
const KEY = { scheme: 'EdDSA', curve: 'ed25519' } as const;

jest.setTimeout(300_000);

const copy = copyTree([
  ...SHIPPED_FOLDERS,
  'scripts',
  'test/durable-names.json',
  'biome.json',
  'boundaries.cjs',
  'package.json',
  'tsconfig.json',
]);
const compiler = createCompiler(copy.path);
afterAll(() => copy.remove());
beforeEach(() => jest.resetModules());

const read = (path: string) => readFileSync(join(copy.path, path), 'utf8');
const filesIn = (folder: string) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .sort();
const load = (path: string) => require(join(copy.path, path));
/** The lines that only the first text has, without imports. */
const linesOnlyIn = (text: string, other: string) => {
  const others = new Set(other.split('\n'));
  return text.split('\n').filter((line) => !others.has(line) && !line.startsWith('import '));
};
const wholeFiles = filesIn(WHOLE);
const texts = new Map(
  filesIn(copy.path)
    .filter((path) => /\.(ts|json)$/.test(path))
    .map((path) => [path, read(path)]),
);

test('once the name of a family exists, the compiler reports every record that lacks the family', () => {
  const before = read(NAMES);
  const withName = before
    .replace(/(FAMILIES = \[[^\]]*)\]/, "$1, 'pretence']")
    .replace(/(\n\} as const satisfies)/, "\n  pretence: ['PretenceTestnet'],$1");
  writeFileSync(join(copy.path, NAMES), withName);
  const found = compiler.complaints(RECORDS);
  writeFileSync(join(copy.path, NAMES), before);

  const named = found.filter((complaint) => /pretence|PretenceTestnet/.test(complaint));
  expect([...new Set(named.map((complaint) => complaint.slice(0, complaint.indexOf(':'))))]).toEqual(RECORDS);
});

test('the skeleton of a family adds its own files, and one line to each record', async () => {
  const { code, output } = await copy.node('scripts/new/family.mjs', ...SKELETON);
  expect({ code, output }).toMatchObject({ code: 0 });

  const changed = [...texts].filter(([path, before]) => read(path) !== before).map(([path]) => path);
  expect(changed).toEqual([NAMES, ...RECORDS, ...OF_THE_ORDER, 'test/durable-names.json'].sort());
  for (const path of [...RECORDS, ...OF_THE_ORDER]) {
    const before = texts.get(path) ?? '';
    expect(linesOnlyIn(before, read(path))).toEqual([]);
    const added = linesOnlyIn(read(path), before);
    expect([path, added.length]).toEqual([path, TWO_LINES.includes(path) ? 2 : 1]);
    for (const line of added) expect(line).toMatch(/pretence/i);
  }
});

test('while a family cannot recognise its transactions, its keys do not sign messages, and the refusal gives the reason', () => {
  const { assertIsMessage }: typeof import('../../signer/judging/families') = load('signer/judging/families');
  const { whyNoMessage }: typeof import('../../application/signatures/families') = load('application/signatures/families');
  const wordHex = `0x${Buffer.from('a word').toString('hex')}`;

  expect(() => assertIsMessage(KEY, wordHex)).toThrow(expect.objectContaining({ reason: 'PayloadNotSupported' }));
  expect(whyNoMessage(KEY, wordHex)).toContain('not possible on networks of the family pretence yet');
  expect(whyNoMessage({ scheme: 'ECDSA', curve: 'secp256k1' }, wordHex)).toBeUndefined();
});

describe('with every slot filled', () => {
  type Proof = Readonly<Record<'transfer' | 'refusals' | 'messages' | 'forms', () => void | Promise<void>>>;
  const proof = (): Proof => load('proof');
  beforeAll(() => cpSync(WHOLE, copy.path, { recursive: true }));

  test('the family is in its own folders, and compiles in every record without further changes', () => {
    const own = filesIn(copy.path).filter((path) => /\.ts$/.test(path) && !texts.has(path) && path !== 'proof.ts');
    for (const path of own) expect(path).toMatch(/\/pretence(\/|\.ts$)/);
    for (const path of wholeFiles) expect(['proof.ts', ...own]).toContain(path);
    expect(own.filter((path) => /\babsent\(/.test(read(path)))).toEqual(['application/signatures/pretence/signing.ts']);
    expect(compiler.complaints([NAMES, ...RECORDS, ...OF_THE_ORDER, ...own, 'proof.ts'])).toEqual([]);
  });

  test('a transfer is built, read by the second reader, judged, signed, sent and found in a block', async () =>
    proof().transfer());
  test('bytes that differ from the approved content are refused, each with its reason', async () => proof().refusals());
  test('its keys sign messages, but never a transaction as a message', async () => proof().messages());
  test('the shared schemas parse and return the bodies and fees of the family', async () => proof().forms());
});

test.each([
  ['nothing', []],
  ['an existing family', ['evm', 'PretenceTestnet', '1', 'PRE', '7', 'EdDSA', 'ed25519']],
  ['an existing network', ['other', 'Bitcoin', '1', 'PRE', '7', 'EdDSA', 'ed25519']],
  ['a scheme and a curve that do not fit', ['other', 'OtherTestnet', '1', 'PRE', '7', 'EdDSA', 'secp256k1']],
])('%s is refused with the usage', async (_title, words) => {
  const { code, output } = await copy.node('scripts/new/family.mjs', ...words);
  expect({ code, output }).toEqual({ code: 1, output: expect.stringContaining('Usage: npm run new:family') });
});
