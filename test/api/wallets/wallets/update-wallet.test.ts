import { newId } from '../../../../platform/ids';
import { faultAt, refusal, START_LIMIT_MS, startWalletApi, type WalletApi } from '../../../support/wallet-api';

let wallets: WalletApi;
beforeAll(async () => {
  wallets = await startWalletApi();
}, START_LIMIT_MS);
afterAll(() => wallets?.close());

const put = (id: string, body: unknown, by = wallets.admin) => by.client.change('PUT', `/wallets/${id}`, body);

test('200: given members change, null clears a member, the rest stays', async () => {
  const wallet = await wallets.createWallet({ name: 'Old', externalId: 'update-1' });
  expect((await put(wallet.id, { name: 'New' })).body).toEqual({ ...wallet, name: 'New' });
  const { externalId: _cleared, ...rest } = wallet;
  expect((await put(wallet.id, { externalId: null })).body).toEqual({ ...rest, name: 'New' });
  expect((await put(wallet.id, {})).body).toEqual({ ...rest, name: 'New' });
});

test('200: an external id that was cleared is free for the next wallet', async () => {
  const first = await wallets.createWallet({ externalId: 'passed-on' });
  expect(await put(first.id, { externalId: null })).toMatchObject({ status: 200 });
  const second = await wallets.createWallet();
  expect(await put(second.id, { externalId: 'passed-on' })).toMatchObject({ status: 200, body: { externalId: 'passed-on' } });
});

test('409: an external id of another wallet', async () => {
  const [first, second] = [await wallets.createWallet({ externalId: 'mine' }), await wallets.createWallet()];
  const answer = await put(second.id, { externalId: 'mine' });
  expect(answer).toMatchObject(refusal(409, 'Conflict', { duplicate: { id: first.id, externalId: 'mine' } }));
});

test.each([
  ['body.name', { name: 'x'.repeat(101) }],
  ['body.externalId', { externalId: 5 }],
  ['body.tags', { tags: ['a'] }],
])('400: %s is named for %j', async (path, body) => {
  const { id } = await wallets.createWallet();
  expect(await put(id, body)).toMatchObject(refusal(400, 'InvalidRequest', faultAt(path)));
});

test('404: unknown or of another organisation', async () => {
  const { id } = await wallets.createWallet();
  expect(await put(newId('wallet'), { name: 'x' })).toMatchObject(refusal(404, 'NotFound'));
  expect(await put(id, { name: 'x' }, wallets.stranger)).toMatchObject(refusal(404, 'NotFound'));
});

test('403: without Wallets:Update', async () => {
  const { id } = await wallets.createWallet();
  const person = await wallets.api.createPerson(wallets.orgId, { operations: ['Wallets:Read'] });
  expect(await put(id, { name: 'x' }, person)).toMatchObject(refusal(403, 'Forbidden'));
});
