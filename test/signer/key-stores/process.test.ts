import { generateKeyPairSync } from 'node:crypto';
import { SOFTWARE_STORE_ID } from '../../../domain/key-stores';
import { publicHexOf } from '../../../operator/charters/operator-key';
import { draftEntry } from '../../../operator/key-stores/draft-entry';
import { signEntry } from '../../../operator/key-stores/entry-file';
import { offerKeyStoreEntry } from '../../../signer/charters/offer-charter';
import type { KeyStoreChange } from '../../../signer/key-stores/key-store-change';
import { waitUntil } from '../../support/wait-until';
import { keyOrder, ORG } from '../fixtures';
import { compileSigner, installSigner } from '../process';
import { adding, OFFLINE } from './storing';

jest.setTimeout(60_000);

const compiled = compileSigner();
let signer: ReturnType<typeof installSigner>;
beforeEach(() => {
  signer = installSigner(compiled.main);
});
afterEach(() => signer.remove());
afterAll(compiled.remove);

const { privateKey } = generateKeyPairSync('ed25519');
const operated = { SIGNER_OPERATOR_KEY: publicHexOf(privateKey) };
const offer = async (change: KeyStoreChange, waitMs = 20_000) => {
  const stateDir = signer.path('state');
  const { text } = await draftEntry(stateDir, ORG, change, new Date());
  return offerKeyStoreEntry(stateDir, signEntry(text, privateKey), waitMs);
};

test('a running signer takes entries by file without any worker, and keeps them after a kill', async () => {
  const first = await signer.start(undefined, operated);
  const before = signer.client();
  expect(await before.listKeyStores({})).toEqual({ organizations: [] });
  const created = await before.createKey(keyOrder('key-1'));
  expect(await offer(adding())).toBe('Adopted');
  expect(await offer({ kind: 'MakePrimary', storeId: OFFLINE })).toBe('Adopted');
  expect(await offer({ kind: 'Drain', storeId: SOFTWARE_STORE_ID })).toBe('Adopted');
  const refused = { code: 'SignerRefused', details: { reason: 'KeyStoreNotActive', nothingSigned: true } };
  await expect(before.createKey(keyOrder('key-2'))).rejects.toMatchObject(refused);
  const listed = await before.listKeyStores({});
  expect(listed.organizations).toMatchObject([{ orgId: ORG, n: 3 }]);
  await before.close();
  first.child.kill('SIGKILL');
  await first.exited;

  await signer.start(undefined, operated);
  const after = signer.client();
  expect(await after.listKeyStores({})).toEqual(listed);
  await expect(after.createKey(keyOrder('key-3'))).rejects.toMatchObject(refused);
  expect(await after.createKey(keyOrder('key-1'))).toEqual(created);
  await after.close();
});

test('an entry that was offered to a stopped signer takes effect at its next start', async () => {
  const first = await signer.start(undefined, operated);
  first.child.kill('SIGTERM');
  await first.exited;
  expect(await offer(adding(), 0)).toBeUndefined();
  await signer.start(undefined, operated);
  const client = signer.client();
  await waitUntil('the entry', async () => (await client.listKeyStores({})).organizations.length > 0);
  expect(await offer(adding('ks-2'))).toBe('Adopted');
  const { organizations } = await client.listKeyStores({});
  expect(organizations[0]?.stores.map(({ storeId }) => storeId)).toEqual([SOFTWARE_STORE_ID, OFFLINE, 'ks-2']);
  await client.close();
});
