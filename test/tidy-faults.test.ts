import { documentRules, importTable } from './support/tidy/documents';
import { familyRules } from './support/tidy/families';
import { fileRules } from './support/tidy/files';
import { functionRules } from './support/tidy/functions';
import { guaranteeRules } from './support/tidy/guarantees';
import { nameRules } from './support/tidy/names';
import { operationRules } from './support/tidy/operations';
import { packageRules } from './support/tidy/packages';
import type { Rule, Tree } from './support/tidy/tree';
import { variantRules } from './support/tidy/variants';
import { wordRules } from './support/tidy/words';

const reports = (rules: readonly Rule[], tree: Readonly<Record<string, string>>): string[] => {
  const planted: Tree = new Map(Object.entries(tree));
  return rules.flatMap(({ check }) => check(planted));
};
const operationFile = (name: string, id = name, path = '/things/:id') =>
  `export const ${name} = operation({\n  id: '${id}',\n  method: 'get',\n  path: '${path}',\n});\n`;

describe('a banned word is reported with its place', () => {
  test.each([
    ['api/a.ts', 'const x = y as any;'],
    ['api/a.ts', 'const x = y as unknown as string;'],
    ['test/a.test.ts', '// @ts-expect-error'],
    ['api/a.ts', '// biome-ignore lint: x'],
    ['docs/a.md', 'TODO: write this'],
    ['api/a.ts', "throw new Error('not implemented');"],
    ['api/a.ts', 'console.log(1);'],
    ['api/a.ts', 'const port = process.env.PORT;'],
    ['policy/a.ts', 'const now = Date.now();'],
    ['domain/a.ts', 'const now = new Date();'],
    ['platform/a.ts', 'const { payload } = await jwtVerify(token, key);'],
    ['platform/a.ts', "await jwtVerify(token, key, { issuer: 'x' }); const algorithms: string[] = [];"],
    ['api/a.ts', 'const x = Math.random();'],
    ['entities/a.ts', "SELECT 1 FROM transfers WHERE state NOT IN ('Confirmed', 'Failed', 'Rejected')"],
    ['policy/a.ts', 'const MS_PER_MINUTE = 60_000;'],
    ['signer/a.ts', 'const DAY_MS = 24 * 60 * 60_000;'],
    ['chains/a.ts', "throw new AppError('InvalidRequest', message, { issues: [{ path, message }] });"],
    ['application/a.ts', "throw new AppError('InvalidRequest', message, { issues });"],
    ['entities/a.ts', 'source.getRepository(Wallet);'],
    ['activities/a.ts', 'const source = new DataSource({});'],
    ['activities/a.ts', "import { Pool } from 'pg';"],
    ['application/a.ts', "query(`SET x = set_config('strongroom.org_id', $1, true)`)"],
    ['application/outgoing/a.ts', 'const CLOSED = `UPDATE payloads SET state = $1`;'],
    ['activities/a.ts', "await transaction.query('SELECT id FROM wallets');"],
    ['worker/a.ts', 'const rows = await reader.select<Row>(STATEMENT);'],
    ['api/a.ts', 'await tx.query(STATEMENT, [id]);'],
    ['entities/migrations/a.sql.ts', 'CREATE ROLE x BYPASSRLS'],
    ['workflows/a.ts', "proxyActivities({ taskQueue: 'main' });"],
    ['test/api/a.test.ts', 'await new Promise((resolve) => setTimeout(resolve, 100));'],
    ['api/a.ts', '// ------ chapter two ------'],
    ['scripts/a.mjs', "const root = '/root/clone';"],
    ['api/a.ts', '/** Told to whoever asks. */'],
    ['docs/README.md', 'Nobody reads it.'],
  ])('%s: %s', (path, text) => {
    expect(reports(wordRules, { [path]: `export {};\n${text}\n` })).toEqual([
      expect.stringMatching(new RegExp(`^${path}:2: .+ → .+`)),
    ]);
  });

  test('the same word is allowed where it belongs', () => {
    const allowed = {
      'api/config.ts': 'process.env',
      'domain/field-faults.ts': 'new AppError(code, message, { issues })',
      'platform/ids.ts': 'Date.now()',
      'scripts/a.mjs': 'console.log(1)',
      'application/a.ts': "reader.rows(WalletEntity, 'WHERE t.id = $1', [id]);",
      'entities/wallets/wallet.store.ts': 'tx.query(`UPDATE wallets SET version = version + 1`)',
      'entities/database.ts': "import { Pool } from 'pg'; new DataSource({}); set_config('x')",
    };
    expect(reports(wordRules, allowed)).toEqual([]);
  });
});

const filesIn = (folder: string, count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, at) => [`${folder}/wallet-${at}.ts`, '']));

describe('a misplaced file is reported', () => {
  const words = { 'domain/README.md': '- `wallets`: the wallets\n', 'entities/wallets/wallet.entity.ts': '' };

  test.each<[string, Record<string, string>, RegExp]>([
    ['401 lines', { 'policy/long.ts': 'x\n'.repeat(401) }, /401 lines/],
    ['utils.ts', { 'platform/utils.ts': '' }, /says nothing/],
    ['a helpers folder', { 'api/wallets/helpers/a.ts': '' }, /says nothing/],
    ['a barrel', { 'domain/index.ts': '' }, /barrel/],
    ['a folder that is not a feature', { 'entities/stuff/a.ts': '' }, /entities\/stuff: not a word/],
    ['an area of the API that is not a feature', { 'api/wallets/stuff/a.ts': '' }, /api\/wallets\/stuff: not a word/],
    ['a use case in a folder that is not a feature', { 'application/stuff/a.ts': '' }, /application\/stuff: not a word/],
    ['21 files in a folder', filesIn('application/wallets', 21), /application\/wallets: 21 files/],
    ['a word without a folder', { 'domain/README.md': '- `wallets`, `ghosts`: none\n' }, /^ghosts$/],
    ['an orphan test', { 'test/policy/gone/gone.test.ts': '' }, /orphan/],
  ])('%s', (_title, planted, report) => {
    expect(reports(fileRules, { ...words, ...planted })).toContainEqual(expect.stringMatching(report));
  });

  test('400 lines and 20 files in the right place are not reported', () => {
    const full = filesIn('application/wallets', 20);
    expect(
      reports(fileRules, { ...words, ...full, 'policy/long.ts': 'x\n'.repeat(400), 'test/policy/long.test.ts': '' }),
    ).toEqual([]);
  });
});

describe('a family name outside its record is reported', () => {
  const inRecord = /→ a member of the record/;

  test.each([
    ['application/a.ts', "if (network.family === 'evm') return;"],
    ['activities/a.ts', "if (network?.family !== 'solana') return;"],
    ['api/a.ts', "if (family == 'utxo') return;"],
    ['signer/a.ts', "if ('utxo' === network.family) return;"],
    ['application/a.ts', "if (terms?.family === 'evm-operation') return;"],
    ['worker/a.ts', 'switch (networkOf(name).family) {'],
    ['application/a.ts', "if (isOfFamily('evm', reader)) return;"],
    ['activities/a.ts', 'const FORMS: Readonly<Partial<Record<Family, Form>>> = {};'],
    ['activities/a.ts', 'type Some = Partial<Readonly<Record<Family, Form>>>;'],
  ])('%s: %s', (path, text) => {
    const found = reports(familyRules, { [path]: `export {};\n${text}\n` });
    expect(found.filter((one) => inRecord.test(one))).toEqual([expect.stringMatching(new RegExp(`^${path}:2: `))]);
  });

  test('a family name may occur in the record, in the chains and in the folder of a family', () => {
    const text = "if (network.family === 'evm') return;";
    const paths = ['application/outgoing/families.ts', 'chains/codecs.ts', 'activities/outgoing/utxo/child.ts', 'test/a.test.ts'];
    const found = reports(familyRules, Object.fromEntries(paths.map((path) => [path, text])));
    expect(found.filter((one) => inRecord.test(one))).toEqual([]);
  });

  test('an exception that is no longer needed is reported', () => {
    expect(reports(familyRules, { 'local/bitcoin.ts': 'export {};' })).toContainEqual(
      expect.stringMatching(/^local\/bitcoin\.ts: names no family → take it off/),
    );
  });
});

describe('a query for a variant outside its slots is reported', () => {
  const inSlots = /→ a slot of chains\/evm\/variants/;

  test.each([
    ['application/a.ts', "if (network.variant === 'celo') return;"],
    ['api/a.ts', "if ('tempo' === network?.variant) return;"],
    ['signer/a.ts', 'switch (networkOf(name).variant) {'],
    ['activities/a.ts', 'const FORMS: Partial<Record<EvmVariant, Form>> = {};'],
    ['application/a.ts', 'const { isLegacy } = network;'],
    ['activities/a.ts', 'if (network.isOpStack) return;'],
    ['activities/outgoing/a.ts', 'const { feeToken, name } = network;'],
    ['domain/a.ts', 'export const keys = ({ nonceKeys = 0 }) => nonceKeys;'],
    ['worker/a.ts', 'const key = BigInt(call.nonceKey ?? 0);'],
    ['application/explain/a.ts', 'if (network.feeCurrencies) return;'],
    ['signer/judging/a.ts', 'if (read.feeCurrency !== undefined) return;'],
    ['application/a.ts', 'if (!network.hasConfidentialAmounts) return;'],
    ['chains/codecs.ts', 'const { addressPrefix } = network;'],
    ['operator/a.ts', 'await reader.keyedCount(address, key);'],
    ['api/a.ts', "if (asset.kind === 'Erc7984') return;"],
    ['activities/outgoing/solana/a.ts', "if ('Erc7984' !== asset.kind) return;"],
    ['entities/outgoing/a.ts', "const SUM = `WHERE asset_kind <> 'Erc7984'`;"],
    ['entities/outgoing/a.ts', "const SUM = `WHERE asset_kind = 'Erc7984'`;"],
    ['application/a.ts', "if (network.name === 'TempoModerato') return;"],
    ['domain/a.ts', 'export const CELO_TYPE = 123;'],
  ])('%s: %s', (path, text) => {
    const found = reports(variantRules, { [path]: `export {};\n${text}\n` });
    expect(found.filter((one) => inSlots.test(one))).toEqual([expect.stringMatching(new RegExp(`^${path}:2: `))]);
  });

  test("a query for a variant is allowed in EVM's folders", () => {
    const paths = [
      'chains/evm/fees.ts',
      'application/outgoing/evm/funds.ts',
      'signer/judging/evm/a.ts',
      'test/a.test.ts',
      'local/a.ts',
    ];
    const found = reports(
      variantRules,
      Object.fromEntries(paths.map((path) => [path, "if (kind === 'Erc7984') return feeToken;"])),
    );
    expect(found.filter((one) => inSlots.test(one))).toEqual([]);
  });

  test('an exception that is no longer needed is reported', () => {
    expect(reports(variantRules, { 'signer/orders/transfer-orders.ts': 'export {};' })).toContainEqual(
      expect.stringMatching(/^signer\/orders\/transfer-orders\.ts: asks for no variant → take it off/),
    );
  });
});

describe('one exported name for two things is reported', () => {
  const two = (one: string, other: string, text = 'export const settle = () => 1;\n') => ({ [one]: text, [other]: text });

  test.each<[string, Record<string, string>]>([
    ['functions of two features', two('application/approvals/ends.ts', 'application/outgoing/end/settle.ts')],
    ['types of two roles', two('entities/limits/a.ts', 'signer/record/b.ts', 'export type settle = { readonly id: string };\n')],
    [
      'two use cases in the same role',
      {
        ...two('api/freezes/settle.ts', 'application/freezes/a.ts'),
        'application/deployment/b.ts': 'export function settle() {}\n',
      },
    ],
    ['one family twice', two('chains/evm/a.ts', 'chains/evm/b.ts')],
  ])('%s', (_title, planted) => {
    expect(reports(nameRules, planted)).toEqual([expect.stringMatching(/^settle: exported by .+, .+ → /)]);
  });

  test.each<[string, Record<string, string>]>([
    ['an operation and its use case', two('api/freezes/settle.ts', 'application/freezes/settle.ts')],
    ['one export in each family', two('chains/evm/a.ts', 'chains/utxo/a.ts')],
    ['a schema and its type', { 'api/a.ts': 'export const Price = 1;\n', 'domain/b.ts': 'export type Price = string;\n' }],
    ['a decoder beside the builder', two('chains/evm/decoder-a.ts', 'chains/evm/a.ts')],
    ['a program that never ships', two('drill/a.ts', 'worker/a.ts')],
  ])('%s is not a fault', (_title, planted) => {
    expect(reports(nameRules, planted)).toEqual([]);
  });

  test('an unused exception is a fault', () => {
    expect(reports(nameRules, { 'signer/protocol.ts': '' })).toEqual([expect.stringMatching(/^KeySignature: exported once/)]);
  });
});

describe('a function above 70 lines is reported', () => {
  const lines = (count: number) => '  work();\n'.repeat(count);

  test.each<[string, string, RegExp]>([
    ['a declaration', `export function settle() {\n${lines(69)}}\n`, /^worker\/a\.ts:1: settle has 71 lines, the limit is 70 → /],
    ['a lambda', `const settle = () => {\n${lines(69)}};\n`, /a\.ts:1: settle has 71/],
    ['a method', `class Settling {\n  settle() {\n${lines(69)}  }\n}\n`, /a\.ts:2: settle has 71/],
    [
      'a member of what a closure returns',
      `const make = {\n  settle: async () => {\n${lines(69)}  },\n};\n`,
      /a\.ts:2: settle has 71/,
    ],
    ['a lambda without a name', `export default () => {\n${lines(69)}};\n`, /a\.ts:1: the module has 71/],
  ])('%s', (_title, text, report) => {
    expect(reports(functionRules, { 'worker/a.ts': text })).toEqual([expect.stringMatching(report)]);
  });

  test('the lines of a closure include its inner functions', () => {
    const text = `export function create() {\n  const settle = () => {\n${lines(70)}  };\n  return { settle };\n}\n`;
    expect(reports(functionRules, { 'worker/a.ts': text })).toEqual([
      expect.stringMatching(/a\.ts:1: create has 75/),
      expect.stringMatching(/a\.ts:2: settle has 72/),
    ]);
  });

  test('70 lines, a comment above them, a class, a table of functions and a program that never ships are not reported', () => {
    const fitting = `function settle() {\n${lines(68)}}\n`;
    const found = reports(functionRules, {
      'worker/a.ts': `/**\n * Settles.\n */\n${fitting}`,
      'worker/b.ts': `class Settling {\n  first() {\n${lines(60)}  }\n  second() {\n${lines(60)}  }\n}\n`,
      'worker/c.ts': `const TABLE = {\n  first: () => {\n${lines(60)}  },\n  second: () => {\n${lines(60)}  },\n};\n`,
      'drill/a.ts': `function settle() {\n${lines(100)}}\n`,
    });
    expect(found).toEqual([]);
  });
});

describe('a faulty operation is reported', () => {
  const sound = {
    'api/things/get-thing.ts': operationFile('getThing'),
    'api/things/index.ts': 'export const thingOperations = [getThing];',
    'test/api/things/get-thing.test.ts': "test('200: a thing', () => undefined);\ntest('404: none', () => undefined);",
  };

  test('a sound operation is not reported', () => {
    expect(reports(operationRules, sound)).toEqual([]);
  });

  const more = {
    'api/more/get-more.ts': operationFile('getMore', 'getMore', '/more'),
    'api/more/index.ts': 'export const moreOperations = [getMore];',
  };
  const shared = (id: string, title: string) =>
    `describe.each([\n  { id: 'getOther' },\n  { id: '${id}' },\n])('$id', () => {\n  test('${title}', () => undefined);\n});`;

  test('an operation whose promises are in a describe.each above it is not reported', () => {
    expect(reports(operationRules, { ...sound, ...more, 'test/api/twins.test.ts': shared('getMore', '200: more') })).toEqual([]);
  });

  test.each<[string, Record<string, string>, RegExp]>([
    [
      'a describe.each without the operation',
      { 'test/api/twins.test.ts': shared('getMost', '200: most') },
      /get-more\.ts: untested/,
    ],
    [
      'a describe.each in another folder',
      { 'test/api/things/twins.test.ts': shared('getMore', '200: more') },
      /get-more\.ts: untested/,
    ],
    [
      'a title without status in a describe.each',
      { 'test/api/twins.test.ts': shared('getMore', 'works') },
      /twins.*"works" → "200/,
    ],
  ])('%s', (_title, planted, report) => {
    expect(reports(operationRules, { ...sound, ...more, ...planted })).toContainEqual(expect.stringMatching(report));
  });

  test.each<[string, Record<string, string>, RegExp]>([
    ['a file with a different name', { 'api/things/read.ts': operationFile('getOther') }, /read\.ts: exports getOther/],
    ['an id with a different name', { 'api/things/get-thing.ts': operationFile('getThing', 'readThing') }, /are one name/],
    ['two operations in one file', { 'api/things/get-thing.ts': operationFile('getThing') + operationFile('getOther') }, /twice/],
    [
      'an id used twice',
      { 'api/more/get-thing.ts': operationFile('getThing', 'getThing', '/more') },
      /getThing is declared twice/,
    ],
    [
      'a route used twice',
      { 'api/more/get-more.ts': operationFile('getMore', 'getMore', '/v2/things/:other') },
      /\/things\/: is declared/,
    ],
    ['an operation that no index lists', { 'api/things/index.ts': 'export const thingOperations = [];' }, /is in no index/],
    ['an operation without a test', { 'api/more/get-more.ts': operationFile('getMore', 'getMore', '/more') }, /untested/],
    ['a title without status', { 'test/api/things/get-thing.test.ts': "test('works', () => undefined);" }, /"works" → "200/],
  ])('%s', (_title, planted, report) => {
    expect(reports(operationRules, { ...sound, ...planted })).toContainEqual(expect.stringMatching(report));
  });
});

describe('an unwanted package is reported', () => {
  const manifest = (dependencies: object, scripts = {}) => JSON.stringify({ dependencies, scripts });
  const lock = (packages: object) =>
    JSON.stringify({ packages: { 'node_modules/protobufjs': { version: '8.8.1' }, ...packages } });
  const sound = { 'package.json': manifest({ koa: '3.3.0' }), 'package-lock.json': lock({}) };

  test.each<[string, Record<string, string>, RegExp]>([
    ['a range', { 'package.json': manifest({ koa: '^3.3.0' }) }, /koa \^3\.3\.0/],
    ['a script without its file', { 'package.json': manifest({}, { demo: 'node scripts/demo.mjs' }) }, /no scripts\/demo\.mjs/],
    ['elliptic below another package', { 'package-lock.json': lock({ 'node_modules/a/node_modules/elliptic': {} }) }, /noble/],
    ['axios', { 'package-lock.json': lock({ 'node_modules/axios': {} }) }, /fetch/],
    [
      'a nested protobufjs',
      { 'package-lock.json': lock({ 'node_modules/@temporalio/proto/node_modules/protobufjs': {} }) },
      /proto/,
    ],
    [
      'a platform package that the lock lists but does not describe',
      { 'package-lock.json': lock({ 'node_modules/a': { optionalDependencies: { 'a-linux-x64': '1.0.0' } } }) },
      /complete-lock/,
    ],
    [
      'the address of a registry',
      { 'package-lock.json': lock({ 'node_modules/a': { resolved: 'https://r.example/a.tgz' } }) },
      /comes from/,
    ],
  ])('%s', (_title, planted, report) => {
    expect(reports(packageRules, { ...sound, ...planted })).toEqual([expect.stringMatching(report)]);
  });

  test('a test package may depend on a package that production must not have', () => {
    expect(reports(packageRules, { ...sound, 'package-lock.json': lock({ 'node_modules/axios': { dev: true } }) })).toEqual([]);
  });
});

describe('a document that drifted is reported', () => {
  test.each<[string, Record<string, string>, RegExp]>([
    ['a folder without README', {}, /^vendors\/README\.md is missing$/],
    ['a README below a top folder', { 'api/wallets/README.md': '' }, /^api\/wallets\/README\.md →/],
    [
      'a first line that differs from boundaries.cjs',
      { 'policy/README.md': 'May import: domain, entities.' },
      /^policy\/README\.md → May import: domain\./,
    ],
    [
      'a table that differs from boundaries.cjs',
      { 'docs/architecture.md': `<!-- boundaries.cjs -->\n${importTable()}| x | y |\n<!-- end -->` },
      /^docs\/architecture\.md →/,
    ],
    ['a link to nowhere', { 'docs/README.md': '[gone](decisions/gone.md)' }, /docs\/decisions\/gone\.md does not exist/],
    ['a README that is too long', { 'README.md': 'é'.repeat(5_001) }, /^README\.md: 10002 bytes/],
    ['no licence', {}, /^LICENSE is missing$/],
  ])('%s', (_title, planted, report) => {
    expect(reports(documentRules, planted)).toContainEqual(expect.stringMatching(report));
  });
});

describe('a mark of a guarantee without a complete entry is reported', () => {
  const entry = '### S1. One payment\n\nIt is paid once.\n\n*Without it:* twice.\n\n*Kept by:* [a.ts](../domain/a.ts).\n';
  const page = 'docs/guarantees.md';

  test.each<[string, Record<string, string>, RegExp]>([
    ['a mark without an entry', { 'api/a.ts': '/** Once (S2). */' }, /^api\/a\.ts: S2 →/],
    ['a mark without an entry, beside a mark with an entry', { 'api/a.ts': '/** Once (S1, P2). */' }, /^api\/a\.ts: P2 →/],
    ['an entry without its story', { [page]: entry.replace('*Without it:* twice.', '') }, /S1 lacks the story/],
    ['an entry that leads nowhere', { [page]: entry.replace('[a.ts](../domain/a.ts)', 'a.ts') }, /S1 lacks a link/],
  ])('%s', (_title, planted, report) => {
    expect(reports(guaranteeRules, { [page]: entry, ...planted })).toEqual([expect.stringMatching(report)]);
  });

  test('a mark with its entry is not reported', () => {
    expect(reports(guaranteeRules, { [page]: entry, 'api/a.ts': '/** Once (S1). */', 'docs/a.md': 'Once (S1).' })).toEqual([]);
  });
});
