import { documentRules, importTable } from './support/tidy/documents';
import { fileRules } from './support/tidy/files';
import { operationRules } from './support/tidy/operations';
import { packageRules } from './support/tidy/packages';
import type { Rule, Tree } from './support/tidy/tree';
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
    ['entities/a.ts', 'source.getRepository(Wallet);'],
    ['activities/a.ts', 'const source = new DataSource({});'],
    ['activities/a.ts', "import { Pool } from 'pg';"],
    ['application/a.ts', "query(`SELECT set_config('strongroom.org_id', $1, true)`)"],
    ['entities/migrations/a.sql.ts', 'CREATE ROLE x BYPASSRLS'],
    ['workflows/a.ts', "proxyActivities({ taskQueue: 'main' });"],
    ['test/api/a.test.ts', 'await new Promise((resolve) => setTimeout(resolve, 100));'],
    ['api/a.ts', '// ------ chapter two ------'],
    ['scripts/a.mjs', "const root = '/root/clone';"],
  ])('%s: %s', (path, text) => {
    expect(reports(wordRules, { [path]: `export {};\n${text}\n` })).toEqual([
      expect.stringMatching(new RegExp(`^${path}:2: .+ → .+`)),
    ]);
  });

  test('the same word is allowed where it belongs', () => {
    const allowed = {
      'api/config.ts': 'process.env',
      'platform/ids.ts': 'Date.now()',
      'scripts/a.mjs': 'console.log(1)',
      'entities/database.ts': "import { Pool } from 'pg'; new DataSource({}); set_config('x')",
    };
    expect(reports(wordRules, allowed)).toEqual([]);
  });
});

describe('a misplaced file is reported', () => {
  const words = { 'domain/README.md': '- `wallets`: the wallets\n', 'entities/wallets/wallet.entity.ts': '' };

  test.each<[string, Record<string, string>, RegExp]>([
    ['401 lines', { 'policy/long.ts': 'x\n'.repeat(401) }, /401 lines/],
    ['utils.ts', { 'platform/utils.ts': '' }, /says nothing/],
    ['a helpers folder', { 'api/wallets/helpers/a.ts': '' }, /says nothing/],
    ['a barrel', { 'domain/index.ts': '' }, /barrel/],
    ['a folder that is no feature', { 'entities/stuff/a.ts': '' }, /entities\/stuff: not a word/],
    ['an area of the API that is no feature', { 'api/wallets/stuff/a.ts': '' }, /api\/wallets\/stuff: not a word/],
    ['a word without a folder', { 'domain/README.md': '- `wallets`, `ghosts`: none\n' }, /^ghosts$/],
    ['an orphan test', { 'test/policy/gone/gone.test.ts': '' }, /orphan/],
  ])('%s', (_title, planted, report) => {
    expect(reports(fileRules, { ...words, ...planted })).toContainEqual(expect.stringMatching(report));
  });

  test('400 lines in the right place are not', () => {
    expect(reports(fileRules, { ...words, 'policy/long.ts': 'x\n'.repeat(400), 'test/policy/long.test.ts': '' })).toEqual([]);
  });
});

describe('a faulty operation is reported', () => {
  const sound = {
    'api/things/get-thing.ts': operationFile('getThing'),
    'api/things/index.ts': 'export const thingOperations = [getThing];',
    'test/api/things/get-thing.test.ts': "test('200: a thing', () => undefined);\ntest('404: none', () => undefined);",
  };

  test('a sound one is not', () => {
    expect(reports(operationRules, sound)).toEqual([]);
  });

  test.each<[string, Record<string, string>, RegExp]>([
    ['a file of another name', { 'api/things/read.ts': operationFile('getOther') }, /read\.ts: exports getOther/],
    ['an id of another name', { 'api/things/get-thing.ts': operationFile('getThing', 'readThing') }, /are one name/],
    ['two in one file', { 'api/things/get-thing.ts': operationFile('getThing') + operationFile('getOther') }, /twice/],
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
    ['one that no index lists', { 'api/things/index.ts': 'export const thingOperations = [];' }, /served by nobody/],
    ['one without a test', { 'api/more/get-more.ts': operationFile('getMore', 'getMore', '/more') }, /untested/],
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
      'a platform package that the lock names and does not describe',
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

  test('a test package may bring what production must not', () => {
    expect(reports(packageRules, { ...sound, 'package-lock.json': lock({ 'node_modules/axios': { dev: true } }) })).toEqual([]);
  });
});

describe('a document that drifted is reported', () => {
  test.each<[string, Record<string, string>, RegExp]>([
    ['a folder without README', {}, /^vendors\/README\.md is missing$/],
    ['a README below a top folder', { 'api/wallets/README.md': '' }, /^api\/wallets\/README\.md →/],
    [
      'another first line than boundaries.cjs',
      { 'policy/README.md': 'May import: domain, entities.' },
      /^policy\/README\.md → May import: domain\./,
    ],
    [
      'another table than boundaries.cjs',
      { 'README.md': `<!-- boundaries.cjs -->\n${importTable()}| x | y |\n<!-- end -->` },
      /^README\.md →/,
    ],
    ['a link to nowhere', { 'docs/README.md': '[gone](decisions/gone.md)' }, /docs\/decisions\/gone\.md does not exist/],
    ['no licence', {}, /^LICENSE is missing$/],
  ])('%s', (_title, planted, report) => {
    expect(reports(documentRules, planted)).toContainEqual(expect.stringMatching(report));
  });
});
