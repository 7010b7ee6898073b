import { newId } from '../../../platform/ids';
import { createKey, ECDSA } from '../../support/keys';
import { refusal, START_LIMIT_MS, startWalletApi, type WalletApi } from '../../support/wallet-api';

let wallets: WalletApi;
beforeAll(async () => {
  wallets = await startWalletApi();
}, START_LIMIT_MS);
afterAll(() => wallets?.close());

test('200: the key with its wallets and its key store', async () => {
  const master = await createKey(wallets, { ...ECDSA, masterKey: true });
  const child = await createKey(wallets, { ...ECDSA, deriveFrom: { keyId: master.id } });
  const wallet = await wallets.createWallet({ signingKey: { id: child.id } });
  const { status, body } = await wallets.admin.client.get(`/keys/${child.id}`);
  expect([status, body]).toEqual([
    200,
    {
      ...child,
      wallets: [{ id: wallet.id, network: 'EthereumSepolia' }],
      store: { id: 'software', kind: 'Software', keyId: child.id, derivationPath: "m/0'" },
    },
  ]);
});

test('403: without Keys:Read', async () => {
  const { id } = await createKey(wallets);
  const person = await wallets.api.createPerson(wallets.orgId, { operations: ['Keys:Create'] });
  expect(await person.client.get(`/keys/${id}`)).toMatchObject(refusal(403, 'Forbidden'));
});

test("404: a key that is unknown, belongs to another organisation, or is not the end user's own", async () => {
  const { id } = await createKey(wallets);
  const endUser = await wallets.api.createPerson(wallets.orgId, { kind: 'EndUser' });
  for (const [path, by] of [
    [`/keys/${newId('key')}`, wallets.admin],
    ["/keys/key-1' OR 1=1", wallets.admin],
    [`/keys/${id}`, wallets.stranger],
    [`/keys/${id}`, endUser],
  ] as const) {
    expect(await by.client.get(path)).toMatchObject(refusal(404, 'NotFound'));
  }
});
