import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const ROOT = join(__dirname, '..', '..');
let data: string;
beforeEach(() => {
  data = mkdtempSync(join(tmpdir(), 'demo-'));
});
afterEach(() => rmSync(data, { recursive: true, force: true }));

const demo = () =>
  spawnSync(process.execPath, [join('scripts', 'demo.mjs')], {
    cwd: ROOT,
    env: { ...process.env, STRONGROOM_DATA: data },
    encoding: 'utf8',
  });

test('without a first-run file the demo explains in one sentence what to start', () => {
  const { status, stderr } = demo();
  expect(status).toBe(1);
  expect(stderr.trim()).toMatch(
    /^\S*first-run\.json does not exist: start the service with `npm start` in another shell first\.$/,
  );
});

const NOBODY = 'http://127.0.0.1:1';
const writeFirstRun = (chains: object) => {
  const firstRun = { baseUrl: NOBODY, temporalUiUrl: NOBODY, users: [], chains };
  writeFileSync(join(data, 'first-run.json'), JSON.stringify(firstRun));
};

test.each([
  ['no chain', {}],
  ['chains with different kinds of faucets', { BitcoinSignet: { rpcUrl: NOBODY }, SolanaDevnet: { rpcUrl: NOBODY } }],
])('with %s and no server, the demo reports the address that it called', (_title, chains) => {
  writeFirstRun(chains);
  const { status, stderr } = demo();
  expect(status).toBe(1);
  expect(stderr.trim()).toBe(`Nothing answers at ${NOBODY}: start the service with \`npm start\` in another shell first.`);
});

test('the message about an invalid first-run file contains the file name and the invalid member', () => {
  writeFirstRun({ EthereumSepolia: { rpcUrl: NOBODY } });
  const { status, stderr } = demo();
  expect(status).toBe(1);
  expect(stderr).toContain('first-run.json does not describe a local trial of this release');
  expect(stderr).toContain('chains.EthereumSepolia.faucetPrivateKey');
  expect(stderr).not.toContain('ZodError');
});
