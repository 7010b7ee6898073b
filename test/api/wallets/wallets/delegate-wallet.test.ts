import { newId } from '../../../../platform/ids';
import type { Person } from '../../../support/api';
import { faultAt, refusal, START_LIMIT_MS, startWalletApi, type WalletApi } from '../../../support/wallet-api';

let wallets: WalletApi;
let endUser: Person;
beforeAll(async () => {
  wallets = await startWalletApi();
  endUser = await wallets.api.createPerson(wallets.orgId, { kind: 'EndUser' });
}, START_LIMIT_MS);
afterAll(() => wallets?.close());

const post = (id: string, userId: string = endUser.userId, by = wallets.admin) =>
  by.client.change('POST', `/wallets/${id}/delegate`, { userId });

test('200: the wallet and every other wallet of its key belong to the end user', async () => {
  const wallet = await wallets.createWallet({ delayDelegation: true });
  const other = await wallets.createWallet({ network: 'KeyECDSA', signingKey: { id: wallet.signingKey.id } });
  const answer = await post(wallet.id);
  expect(answer).toMatchObject({ status: 200, body: { walletId: wallet.id, status: 'Delegated' } });
  expect(answer.headers.get('deprecation')).toBe('@1795305600');
  for (const { id } of [wallet, other]) {
    expect(await endUser.client.get(`/wallets/${id}`)).toMatchObject({ status: 200, body: { custodial: false } });
  }
});

test('400: the new owner is not an end user', async () => {
  const { id } = await wallets.createWallet({ delayDelegation: true });
  expect(await post(id, wallets.admin.userId)).toMatchObject(refusal(400, 'InvalidRequest', faultAt('body.userId')));
});

test('403: without Keys:Delegate', async () => {
  const { id } = await wallets.createWallet({ delayDelegation: true });
  const person = await wallets.api.createPerson(wallets.orgId, { operations: ['Wallets:Read'] });
  expect(await post(id, endUser.userId, person)).toMatchObject(refusal(403, 'Forbidden'));
});

test('404: a wallet that is unknown or belongs to another organisation', async () => {
  const { id } = await wallets.createWallet({ delayDelegation: true });
  expect(await post(newId('wallet'))).toMatchObject(refusal(404, 'NotFound'));
  expect(await post(id, endUser.userId, wallets.stranger)).toMatchObject(refusal(404, 'NotFound'));
});

test('409: the key of the wallet was not created for delegation', async () => {
  const { id } = await wallets.createWallet();
  expect(await post(id)).toMatchObject(refusal(409, 'WrongState'));
});
