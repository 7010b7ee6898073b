import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT, run } from '../scripts/script';
import { createService, type Service } from '../support/service';
import { ended, fundedWallet, send } from '../support/story';

jest.setTimeout(600_000);

/** The number of transfers, unless ROTATION_TRANSFERS sets a different number. */
const TRANSFERS = Number(process.env['ROTATION_TRANSFERS'] ?? 40);
/** The number of wallets that send at the same time, each with its own key. */
const WALLETS = 4;

const keks: Record<string, string> = {};
let service: Service;
beforeAll(async () => {
  service = await createService(keks);
  await service.start();
});
afterAll(() => service?.close());

async function operator(...words: string[]): Promise<string> {
  const { code, output } = await run([join(ROOT, 'scripts', 'operator.mjs'), ...words], service.env);
  if (code !== 0) throw new Error(`${words.join(' ')}: ${output}`);
  return output;
}

const dataKeys = async () => {
  const { orgId } = service.firstRun();
  const status = await operator('keys:rotate-dek', '--org', orgId, '--status');
  const line = /^(\S+)\s+(\w+), (\d+) keys, under (\S+)$/gm;
  return [...status.matchAll(line)].map(([, id = '', state, keys, kekId]) => ({ id, state, keys: Number(keys), kekId }));
};

test('the key-encryption key and the data key are replaced while transfers are sent, and no transfer fails', async () => {
  const admin = service.client('admin');
  const wallets = await Promise.all(Array.from({ length: WALLETS }, () => fundedWallet(service, admin)));
  const [before] = await dataKeys();
  expect(before).toMatchObject({ state: 'Active', keys: WALLETS });

  // The new key wraps data keys, and the old key only unwraps them.
  const secrets = join(service.dataFolder, 'secrets');
  const newKek = join(secrets, 'signer-kek-2');
  writeFileSync(newKek, `${randomBytes(32).toString('hex')}\n`, { mode: 0o400 });
  keks['SIGNER_KEK_SOURCE'] = `file:${newKek}`;
  keks['SIGNER_KEK_OLD_SOURCES'] = `file:${join(secrets, 'signer-kek')}`;
  await service.stop();
  await service.start();

  const client = service.client('admin');
  const started: { readonly walletId: string; readonly id: string }[] = [];
  const flow = wallets.map(async ({ id: walletId }) => {
    while (started.length < TRANSFERS) started.push({ walletId, id: (await send(client, walletId)).id });
  });
  const rotated = (async () => {
    const kek = await operator('keys:rotate-kek', '--wait');
    const dek = await operator('keys:rotate-dek', '--all', '--wait');
    return { kek, dek };
  })();
  await Promise.all([...flow, rotated]);
  expect(await rotated).toEqual({
    kek: expect.stringMatching(/Rows replaced {6}1\n/),
    dek: expect.stringMatching(/Rows replaced {6}4\n/),
  });
  expect(started.length).toBeGreaterThanOrEqual(TRANSFERS);
  const ends = await Promise.all(started.map(({ walletId, id }) => ended(client, walletId, id)));
  expect(ends.filter(({ status }) => status !== 'Confirmed')).toEqual([]);

  const [old, present] = await dataKeys();
  expect(old).toMatchObject({ id: before?.id, state: 'DecryptOnly', keys: 0 });
  expect(present).toMatchObject({ state: 'Active', keys: WALLETS });
  expect(old?.kekId).toBe(present?.kekId);
  expect(old?.kekId).not.toBe(before?.kekId);
});

test('the old key-encryption key is no longer needed: the signer starts without it, the old data key is destroyed, every wallet signs', async () => {
  const { orgId } = service.firstRun();
  delete keks['SIGNER_KEK_OLD_SOURCES'];
  await service.stop();
  await service.start();
  const [old, present] = await dataKeys();
  await expect(operator('keys:destroy-dek', '--org', orgId, '--data-key', present?.id ?? '')).rejects.toThrow(/rotate first/);
  expect(await operator('keys:destroy-dek', '--org', orgId, '--data-key', old?.id ?? '')).toMatch(/is destroyed/);
  expect((await dataKeys())[0]).toMatchObject({ state: 'Destroyed', keys: 0 });

  const client = service.client('admin');
  const { items } = (await client.get('/wallets')).body as { readonly items: readonly { readonly id: string }[] };
  expect(items).toHaveLength(WALLETS);
  for (const { id } of items) expect(await ended(client, id, (await send(client, id)).id)).toMatchObject({ status: 'Confirmed' });
});
