import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { endAll, inline, ROOT, run, SCRIPTS } from './script';

jest.setTimeout(60_000);
let data: string;
afterAll(endAll);
beforeEach(() => {
  data = mkdtempSync(join(tmpdir(), 'strongroom-offline-'));
});
afterEach(() => rmSync(data, { recursive: true, force: true }));

const imported = (name: string, file: string) => `import { ${name} } from '${SCRIPTS}/supervisor/${file}.mjs';\n`;

/** What a start with these variables has: its local networks, and whether it has an offline store. */
const settings = (env: Readonly<Record<string, string>>) =>
  run(
    inline(`${imported('readSettings', 'settings')}
const { localNetworks, hasOfflineStore } = readSettings('${ROOT}', ${JSON.stringify(env)});
console.log(JSON.stringify([localNetworks.map(({ name }) => name), hasOfflineStore]));`),
  );

test.each([
  ['offline', [[], true]],
  ['bitcoin,offline,solana', [['bitcoin', 'solana'], true]],
  ['bitcoin', [['bitcoin'], false]],
  ['', [[], false]],
])('--with %s is combined with the local networks', async (words, expected) => {
  const { output } = await settings({ LOCAL_NETWORKS: words });
  expect(JSON.parse(output)).toEqual(expected);
});

test.each([
  [{ NODE_ENV: 'production' }, 'not in production mode'],
  [{ SIGNER_OPERATOR_KEY: 'ab' }, 'unset SIGNER_OPERATOR_KEY, or'],
  [{ SIGNER_OPERATOR_KEY_FILE: '/key' }, 'unset SIGNER_OPERATOR_KEY_FILE, or'],
])('an offline store is refused with %j, which a start without the store accepts', async (env, reason) => {
  const refused = await settings({ ...env, LOCAL_NETWORKS: 'offline' });
  expect(refused).toMatchObject({ code: 1, output: expect.stringContaining(reason) });
  expect((await settings(env)).code).toBe(0);
});

test('only a trial with an offline store has an operator’s key, which stays the same', async () => {
  const script = inline(`${imported('ensureOperatorKey, ensureSecrets, operatorPublicHex', 'secrets')}
ensureSecrets('${data}');
const before = operatorPublicHex('${data}') ?? 'none';
ensureOperatorKey('${data}');
console.log(before, operatorPublicHex('${data}'));`);
  const [, first = ''] = /^none ([0-9a-f]{64})\n$/.exec((await run(script)).output) ?? [];
  expect(first).not.toBe('');
  expect((await run(script)).output).toBe(`${first} ${first}\n`);
});

test.each([
  ['/data/fleets', true],
  [undefined, false],
])('with the folder %s the table says what to type next: %s', async (fleetFolder, isShown) => {
  const service = {
    apiUrl: 'http://api',
    dataFolder: '/data',
    seconds: '1.0',
    firstRunFile: '/data/first-run.json',
    fleetFolder,
  };
  const { output } = await run(
    inline(`${imported('readyTable', 'output')}
console.log(readyTable(${JSON.stringify(service)}));`),
  );
  expect(output.includes('`npm run ceremony -- genesis` makes its keys')).toBe(isShown);
  expect(output.includes('Offline machines')).toBe(isShown);
});

const ceremony = (...words: string[]) => run([join(SCRIPTS, 'ceremony.mjs'), ...words], { STRONGROOM_DATA: data });

test('without a trial no ceremony is played, and nothing is written', async () => {
  expect(await ceremony('genesis')).toMatchObject({ code: 1, output: expect.stringContaining('There is no trial yet') });
  expect(readdirSync(data)).toEqual([]);
});

test('of two ceremonies at once the second is refused', async () => {
  mkdirSync(join(data, 'secrets'));
  writeFileSync(join(data, 'secrets', 'signer-auth'), 'x');
  const held = inline(`${imported('takeLock', 'lock')}
import { spawnSync } from 'node:child_process';
await takeLock('${join(data, 'lock.ceremony')}', { taken: () => 'taken' });
const { stderr } = spawnSync(process.execPath, ['${join(SCRIPTS, 'ceremony.mjs')}', 'genesis'], { env: { STRONGROOM_DATA: '${data}' } });
console.log(String(stderr));`);
  expect((await run(held)).output).toMatch(/^Another ceremony is being played \(process \d+\)/);
  expect(await ceremony('genesis')).toMatchObject({ code: 1, output: expect.stringContaining('first-run.json does not exist') });
});
