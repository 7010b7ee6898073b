import { privateKeyToAddress } from 'viem/accounts';
import { newId } from '../../../../platform/ids';
import { createRecipient, switchOn } from '../../../support/keys';
import { faultAt, refusal, START_LIMIT_MS, startWalletApi, type WalletApi } from '../../../support/wallet-api';

let wallets: WalletApi;
let recipient: Awaited<ReturnType<typeof createRecipient>>;
beforeAll(async () => {
  wallets = await startWalletApi();
  recipient = await createRecipient();
  await switchOn(wallets, wallets.orgId, 'keyExport');
}, START_LIMIT_MS);
afterAll(() => wallets?.close());

const post = (id: string, by = wallets.admin, curve = 'secp256k1') =>
  by.client.change('POST', `/wallets/${id}/export`, {
    encryptionKey: recipient.encryptionKey,
    supportedSchemes: [{ protocol: 'Software', curve }],
  });

test('200: the answer has the secret that belongs to the address, and a header that marks the operation as deprecated', async () => {
  const wallet = await wallets.createWallet();
  const answer = await post(wallet.id);
  expect([answer.status, answer.headers.get('deprecation')]).toEqual([200, '@1795305600']);
  const secret = await recipient.open(wallets.orgId, answer.body);
  expect(privateKeyToAddress(`0x${secret.toString('hex')}`)).toBe(wallet.address);
});

test("400: a curve that is not the wallet's", async () => {
  const { id } = await wallets.createWallet();
  const answer = await post(id, wallets.admin, 'ed25519');
  expect(answer).toMatchObject(refusal(400, 'InvalidRequest', faultAt('body.supportedSchemes')));
});

test('403: without Keys:Export', async () => {
  const { id } = await wallets.createWallet();
  const person = await wallets.api.createPerson(wallets.orgId, { operations: ['Wallets:Read'] });
  expect(await post(id, person)).toMatchObject(refusal(403, 'Forbidden'));
});

test('404: a wallet that is unknown or belongs to another organisation', async () => {
  const { id } = await wallets.createWallet();
  expect(await post(newId('wallet'))).toMatchObject(refusal(404, 'NotFound'));
  expect(await post(id, wallets.stranger)).toMatchObject(refusal(404, 'NotFound'));
});

test('409: the key of the wallet is deleted', async () => {
  const { id, signingKey } = await wallets.createWallet();
  await wallets.admin.client.change('DELETE', `/keys/${signingKey.id}`, {});
  expect(await post(id)).toMatchObject(refusal(409, 'WrongState'));
});
