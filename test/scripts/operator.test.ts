import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { endAll, inline, ROOT, run, SCRIPTS } from './script';

jest.setTimeout(60_000);
let data: string;
afterAll(endAll);
beforeEach(() => {
  data = mkdtempSync(join(tmpdir(), 'strongroom-operator-'));
});
afterEach(() => rmSync(data, { recursive: true, force: true }));

const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { scripts: Record<string, string> };
/** The scripts that build and check the code take no options. */
const WITHOUT_OPTIONS = new Set(['check', 'fix', 'build', 'record:histories']);
const asked = Object.entries(scripts).filter(([name]) => !WITHOUT_OPTIONS.has(name));

test.each(asked)('npm run %s -- --help prints the usage, does not write a file and exits with 0', async (name, line) => {
  const [program, ...words] = line.split(' ');
  expect(program).toBe('node');
  const folder = join(data, 'none');
  const { code, output } = await run([...words, '--help'], { STRONGROOM_DATA: folder });
  expect(output).toMatch(/^Usage: |^Usage:\n/);
  expect(output).toContain(name === 'start' || name === 'test' ? `npm ${name}` : `npm run ${name.replace(/^bench:.*/, 'bench')}`);
  expect(code).toBe(0);
  expect(readdirSync(data)).toEqual([]);
});

test('the commands for the operator’s own machine do not need a service, a trial or a variable', async () => {
  const env = { STRONGROOM_DATA: join(data, 'none') };
  const key = await run([join(SCRIPTS, 'operator.mjs'), 'authority:key', '--to', join(data, 'key')], env);
  expect(key).toMatchObject({ code: 0, output: expect.stringMatching(/Public half {3}[0-9a-f]{64}\n/) });
  const sign = await run([join(SCRIPTS, 'operator.mjs'), 'authority:sign', '--charter', join(data, 'key')], env);
  expect(sign).toMatchObject({ code: 1, output: expect.stringContaining('does not hold a charter') });
  const draft = await run([join(SCRIPTS, 'operator.mjs'), 'authority:draft', '--org', 'or-1', '--to', join(data, 'draft')], env);
  expect(draft).toMatchObject({ code: 1, output: expect.stringContaining('DATABASE_URL') });
  expect(readdirSync(data)).toEqual(['key']);
});

type Surroundings = Readonly<Record<string, string>>;

/** Stores the ports of a start under `started`, and returns the environment of an operator's command under `given`. */
async function surroundingsOf(started: Surroundings, given: Surroundings): Promise<Surroundings> {
  mkdirSync(join(data, 'secrets'));
  for (const file of ['data-kek', 'signer-kek']) writeFileSync(join(data, 'secrets', file), 'f'.repeat(64));
  writeFileSync(join(data, 'secrets', 'database.json'), '{"app":"a","owner":"o"}');
  const here = { STRONGROOM_DATA: data };
  const script = inline(`import { rememberPorts } from '${SCRIPTS}/supervisor/data-folder.mjs';
import { readSettings } from '${SCRIPTS}/supervisor/settings.mjs';
import { operatorEnv } from '${SCRIPTS}/supervisor/operator-env.mjs';
rememberPorts(readSettings('${ROOT}', ${JSON.stringify({ ...here, ...started })}));
console.log(JSON.stringify(operatorEnv('${ROOT}', ${JSON.stringify({ ...here, ...given })})));`);
  const { output } = await run(script);
  return JSON.parse(output) as Surroundings;
}

test("an operator's command finds the ports and the local networks of the service that uses the same data folder", async () => {
  const found = await surroundingsOf({ PORT_OFFSET: '500', LOCAL_NETWORKS: 'bitcoin' }, {});
  expect(found).toMatchObject({
    DATABASE_URL: expect.stringContaining('@127.0.0.1:5933/'),
    OWNER_DATABASE_URL: expect.stringContaining('@127.0.0.1:5933/'),
    TEMPORAL_ADDRESS: '127.0.0.1:7733',
  });
  expect(JSON.parse(found.NETWORK_RPC_URLS ?? '')).toEqual({
    EthereumSepolia: ['http://127.0.0.1:9045'],
    BitcoinSignet: ['http://127.0.0.1:9041'],
  });
});

test('a port in the environment overrides the stored port, but an offset does not', async () => {
  const found = await surroundingsOf({ PORT_OFFSET: '500' }, { POSTGRES_PORT: '6000', PORT_OFFSET: '700' });
  expect(found).toMatchObject({ DATABASE_URL: expect.stringContaining(':6000/'), TEMPORAL_ADDRESS: '127.0.0.1:7733' });
});
