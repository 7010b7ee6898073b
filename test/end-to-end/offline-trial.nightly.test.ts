import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { sectionOf } from '../../local/fleets/page';
import { freePort } from '../../local/free-port';
import { ROOT } from '../support/compose';
import { isShellHere, openShell, SHELL_NAMES, type ShellName, shellBlocksIn } from '../support/pasted-blocks';
import { createService, type Service } from '../support/service';
import { ok } from '../support/story';

jest.setTimeout(600_000);

const pageAt = (...path: string[]) => readFileSync(join(ROOT, ...path), 'utf8');
const BY_HAND = pageAt('docs', 'by-hand.md');
const [FUNCTIONS = ''] = shellBlocksIn(sectionOf(BY_HAND, 'The first transfer'));
const [GENESIS = ''] = shellBlocksIn(sectionOf(pageAt('README.md'), 'A payment from an offline device'));
const [TRANSFER = '', SIGN = '', BITCOIN = '', SOLANA = ''] = shellBlocksIn(
  sectionOf(BY_HAND, 'A transfer from an offline key store'),
);

let service: Service;
let folder: string;
beforeAll(async () => {
  const [bitcoin, solana] = [await freePort(), await freePort()];
  service = await createService({
    ...{ LOCAL_NETWORKS: 'offline,bitcoin,solana', BITCOIN_PORT: String(bitcoin), SOLANA_PORT: String(solana) },
  });
  await service.start();
  folder = mkdtempSync(join(tmpdir(), 'strongroom-offline-trial-'));
  symlinkSync(service.dataFolder, join(folder, '.data'));
  for (const name of ['package.json', 'scripts']) symlinkSync(join(ROOT, name), join(folder, name));
}, 300_000);
afterAll(async () => {
  await service?.close();
  if (folder) rmSync(folder, { recursive: true, force: true });
});

type Failed = { readonly code: number; readonly stderr: string };
/** Types the command, and returns why it failed. */
const refused = (...words: string[]): Promise<Failed> =>
  promisify(execFile)(process.execPath, [join(ROOT, 'scripts', 'ceremony.mjs'), ...words], {
    env: { ...process.env, ...service.env },
  }).then(
    () => Promise.reject(new Error('it was not refused')),
    (error: Failed) => error,
  );

const offlineStores = async () => {
  const { items } = ok(await service.client('admin').get('/key-stores')) as { items: { id: string; kind: string }[] };
  return items.filter(({ kind }) => kind === 'OfflineSigner').map(({ id }) => id);
};
const filesOf = (storeId: string) => join(service.dataFolder, 'fleets', storeId);

test('the start adds one offline store, makes the machines, and says what to type next', async () => {
  const [storeId = '', ...others] = await offlineStores();
  expect(others).toEqual([]);
  expect(readdirSync(filesOf(storeId)).sort()).toEqual(['D-1', 'M-1', 'P-1', 'P-2', 'P-3', 'medium', 'sheet.txt']);
  const sheet = readFileSync(join(filesOf(storeId), 'sheet.txt'), 'utf8');
  expect(sheet.match(/^(D-1|P-1|P-2|P-3|M-1) +([0-9a-f]{4} ?){8}$/gm)).toHaveLength(5);
  expect(service.log()).toContain('`npm run ceremony -- genesis` makes its keys, once');
});

test.each([
  [['sign'], 'The devices have no keys yet: begin with `npm run ceremony -- genesis`.'],
  [['clone'], 'The next one is genesis.'],
  [['burial'], 'There is no ceremony burial.\nUsage: npm run ceremony -- genesis|'],
  [['cancel'], 'The key store has no open group.'],
])('before the genesis, %j is refused', async (words, reason) => {
  expect(await refused(...words)).toMatchObject({ code: 1, stderr: expect.stringContaining(reason) });
});

const unwanted = /command not found|parse error|syntax error|SyntaxError|TypeError|"error":\{|undefined|REFUSED/i;
const isHere: Readonly<Record<ShellName, boolean>> = { bash: isShellHere('bash'), zsh: isShellHere('zsh') };

test.each(SHELL_NAMES.filter((name) => isHere[name]))(
  '%s: the pasted blocks lead from the genesis over a restart of the service to confirmed payments',
  async (name) => {
    const [storeId = ''] = await offlineStores();
    const shell = openShell(name, folder, { STRONGROOM_DATA: service.dataFolder, HOME: folder });
    try {
      if (!existsSync(join(filesOf(storeId), 'progress.json')))
        expect(await shell.paste(GENESIS, 'the genesis')).toContain('Held: genesis.');
      await shell.paste(FUNCTIONS, 'the functions');
      expect(await shell.paste(TRANSFER, 'the transfer')).toContain('"stage":"OfflineSigning"');
      await service.stop();
      expect(await refused('sign')).toMatchObject({ code: 1, stderr: expect.stringContaining('No service is ready at') });
      await service.start();
      const signed = await shell.paste(SIGN, 'the signature');
      expect(signed).toContain('| Sign request 1 of 1? (yes or no)');
      expect(signed).toContain('"status":"Confirmed"');
      const [record = ''] = /\/\S+\/record-sign-\d+\.txt/.exec(signed) ?? [];
      expect(readFileSync(record, 'utf8')).toMatch(
        /^Amount: 0\.001 ETH$[\s\S]+^Sign request 1 of 1\? YES$[\s\S]+^Present \(name, role, signature\):$/m,
      );
      const coins = await shell.paste(BITCOIN, 'the payment on Bitcoin');
      expect(coins).toContain('| Network: BitcoinSignet (test network)');
      expect(coins).toContain('"status":"Confirmed"');
      const lamports = await shell.paste(SOLANA, 'the payment on Solana');
      expect(lamports).toContain('| Network: SolanaDevnet (test network)');
      expect(lamports.match(/"status":"Confirmed"/g)).toHaveLength(2);
      expect(signed + coins + lamports).not.toMatch(unwanted);
    } finally {
      shell.close();
    }
    expect(await offlineStores()).toEqual([storeId]);
  },
);

test('nothing waits after the payments', async () => {
  expect(await refused('sign', '--yes')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('nothing waits for a signature of the key store'),
  });
});
