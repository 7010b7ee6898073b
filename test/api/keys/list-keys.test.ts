import { createKey, ECDSA } from '../../support/keys';
import { refusal, START_LIMIT_MS, startWalletApi, type WalletApi } from '../../support/wallet-api';

let wallets: WalletApi;
beforeAll(async () => {
  wallets = await startWalletApi();
}, START_LIMIT_MS);
afterAll(() => wallets?.close());

type Page = { readonly items: readonly { readonly id: string }[]; readonly nextPageToken?: string };

test('200: keys page by page, newest first, and the keys of one user', async () => {
  const endUser = await wallets.api.createPerson(wallets.orgId, { kind: 'EndUser', name: 'ada' });
  const first = await createKey(wallets);
  const second = await createKey(wallets, { ...ECDSA, delegateTo: endUser.userId });
  const list = async (query: string, by = wallets.admin): Promise<Page> => {
    const { status, body } = await by.client.get(`/keys${query}`);
    expect([query, status]).toEqual([query, 200]);
    return body;
  };
  const ids = ({ items }: Page) => items.map(({ id }) => id);
  expect(ids(await list(''))).toEqual([second.id, first.id]);
  const page = await list('?limit=1');
  expect(ids(page)).toEqual([second.id]);
  expect(ids(await list(`?limit=1&paginationToken=${page.nextPageToken}`))).toEqual([first.id]);
  expect(ids(await list(`?owner=${endUser.userId}`))).toEqual([second.id]);
  expect(ids(await list(`?owner=${endUser.username}`))).toEqual([second.id]);
  expect(ids(await list('?owner=nobody'))).toEqual([]);
  expect(ids(await list('', endUser))).toEqual([second.id]);
  expect(ids(await list(`?owner=${wallets.admin.userId}`, endUser))).toEqual([]);
  expect(ids(await list('', wallets.stranger))).toEqual([]);
});

test.each(['?limit=0', '?limit=x', '?owner=', '?paginationToken=x', '?owners=a'])('400: %s', async (query) => {
  expect(await wallets.admin.client.get(`/keys${query}`)).toMatchObject({ status: 400 });
});

test('403: without Keys:Read', async () => {
  const person = await wallets.api.createPerson(wallets.orgId, { operations: ['Keys:Create'] });
  expect(await person.client.get('/keys')).toMatchObject(refusal(403, 'Forbidden'));
});
