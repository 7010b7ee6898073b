import { newId } from '../../../../platform/ids';
import { faultAt, refusal, START_LIMIT_MS, startWalletApi, type WalletApi } from '../../../support/wallet-api';

let wallets: WalletApi;
beforeAll(async () => {
  wallets = await startWalletApi();
}, START_LIMIT_MS);
afterAll(() => wallets?.close());

const put = (id: string, body: unknown, by = wallets.admin) => by.client.change('PUT', `/wallets/${id}`, body);

test('200: only the sent members change, and null clears a member', async () => {
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

test('200: metadata is replaced as a whole; other changes keep the metadata, and null removes it', async () => {
  const wallet = await wallets.createWallet({ metadata: { team: 'treasury', region: 'eu' } });
  expect((await put(wallet.id, { metadata: { team: 'sales', '0': '1' } })).body).toEqual({
    ...wallet,
    metadata: { '0': '1', team: 'sales' },
  });
  expect((await put(wallet.id, { name: 'New' })).body).toMatchObject({ metadata: { '0': '1', team: 'sales' } });
  const { metadata: _removed, ...rest } = wallet;
  expect((await put(wallet.id, { metadata: null })).body).toEqual({ ...rest, name: 'New' });
  expect((await put(wallet.id, { metadata: {} })).body).toEqual({ ...rest, name: 'New' });
  expect((await wallets.admin.client.get(`/wallets/${wallet.id}`)).body).toEqual({ ...rest, name: 'New' });
});

test('200: metadata has exactly the allowed size', async () => {
  const { id } = await wallets.createWallet();
  const key = (n: number) => `k${n}`.padEnd(40, '_');
  const metadata = Object.fromEntries(Array.from({ length: 50 }, (_, n) => [key(n), '😀'.repeat(250)]));
  expect(await put(id, { metadata })).toMatchObject({ status: 200, body: { metadata } });
  expect(
    (await wallets.admin.client.get(`/wallets?metadata=${encodeURIComponent(`${key(7)}:${'😀'.repeat(250)}`)}`)).body,
  ).toMatchObject({
    items: [{ id }],
  });
});

test('409: another wallet has the external id', async () => {
  const [first, second] = [await wallets.createWallet({ externalId: 'mine' }), await wallets.createWallet()];
  const answer = await put(second.id, { externalId: 'mine' });
  expect(answer).toMatchObject(refusal(409, 'Conflict', { duplicate: { id: first.id, externalId: 'mine' } }));
});

test.each([
  ['body.name', { name: 'x'.repeat(101) }],
  ['body.externalId', { externalId: 5 }],
  ['body.tags', { tags: ['a'] }],
  ['body.metadata', { metadata: 'team' }],
  ['body.metadata', { metadata: Object.fromEntries(Array.from({ length: 51 }, (_, n) => [`k${n}`, 'x'])) }],
  ['body.metadata.team', { metadata: { team: 5 } }],
  ['body.metadata.team', { metadata: { team: '' } }],
  ['body.metadata.team', { metadata: { team: 'x'.repeat(501) } }],
  ['body.metadata.a b', { metadata: { 'a b': 'x' } }],
  ['body.metadata.a:b', { metadata: { 'a:b': 'x' } }],
  [`body.metadata.${'x'.repeat(41)}`, { metadata: { ['x'.repeat(41)]: 'x' } }],
])('400: the error reports %s for %j', async (path, body) => {
  const { id } = await wallets.createWallet();
  expect(await put(id, body)).toMatchObject(refusal(400, 'InvalidRequest', faultAt(path)));
});

test('404: a wallet that is unknown or belongs to another organisation', async () => {
  const { id } = await wallets.createWallet();
  expect(await put(newId('wallet'), { name: 'x' })).toMatchObject(refusal(404, 'NotFound'));
  expect(await put(id, { name: 'x' }, wallets.stranger)).toMatchObject(refusal(404, 'NotFound'));
});

test('403: without Wallets:Update', async () => {
  const { id } = await wallets.createWallet();
  const person = await wallets.api.createPerson(wallets.orgId, { operations: ['Wallets:Read'] });
  expect(await put(id, { name: 'x' }, person)).toMatchObject(refusal(403, 'Forbidden'));
});
