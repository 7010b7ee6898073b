import { execFile } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { KEY_STORE_COMMANDS } from '../../operator/key-store-commands';
import { ROOT } from '../support/compose';
import { createService, type Service } from '../support/service';
import { ok } from '../support/story';
import { waitUntil } from '../support/wait-until';

jest.setTimeout(600_000);

const run = promisify(execFile);
const operator = generateKeyPairSync('ed25519');
let service: Service;

beforeAll(async () => {
  const publicHex = operator.publicKey.export({ format: 'der', type: 'spki' }).subarray(-32).toString('hex');
  service = await createService({ SIGNER_OPERATOR_KEY: publicHex });
  await service.start();
}, 300_000);
afterAll(() => service?.close());

const ceremony = (...words: string[]) =>
  run(process.execPath, [join(ROOT, 'scripts', 'ceremony.mjs'), ...words, '--yes'], { env: { ...process.env, ...service.env } });

async function addedStore(): Promise<string> {
  const key = join(service.dataFolder, 'operator.pem');
  writeFileSync(key, operator.privateKey.export({ format: 'pem', type: 'pkcs8' }), { mode: 0o600 });
  process.env['SIGNER_STATE_DIR'] = join(service.dataFolder, 'signer');
  try {
    await KEY_STORE_COMMANDS['key-store add'].run({ org: service.firstRun().orgId, name: 'Vault one', key });
  } finally {
    delete process.env['SIGNER_STATE_DIR'];
  }
  return waitUntil('the store', async () => {
    const { items } = ok(await service.client('admin').get('/key-stores')) as { items: { id: string; kind: string }[] };
    return items.find(({ kind }) => kind === 'OfflineSigner')?.id;
  });
}

test('a ceremony needs an offline key store', async () => {
  await expect(ceremony('genesis')).rejects.toMatchObject({ stderr: expect.stringContaining('has no offline key store') });
});

test('all ceremonies are played in order against the running service, and each person speaks under a heading', async () => {
  const storeId = await addedStore();
  await expect(ceremony('clone')).rejects.toMatchObject({ stderr: expect.stringContaining('The next one is genesis.') });
  const { stdout: genesis } = await ceremony('genesis');
  for (const text of [
    'D-1 (device, two people)',
    'P-3 (provisioner)',
    '| Keys           50 on secp256k1, 50 on Ed25519',
    '| Approved',
  ])
    expect(genesis).toContain(text);
  const { stdout: rest } = await ceremony('clone', 'rehearsal', 'harvest', 'operator', 'provisioner', 'recover');
  for (const text of ['| Canceled', '3 of 4 (before: 2 of 3)', 'D-1 is lost', 'Held: recover.']) expect(rest).toContain(text);
  const folders = readdirSync(join(service.dataFolder, 'fleets', storeId));
  expect(folders.sort()).toEqual(['D-3', 'D-TEST', 'M-1', 'M-2', 'P-1', 'P-3', 'P-4', 'medium', 'progress.json', 'sheet.txt']);
});
