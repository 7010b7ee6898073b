import { newId } from '../../../../platform/ids';
import { RECIPIENT, startTransferApi, type TransferApi, type TransferBody } from '../../../support/transfer-api';
import { refusal, START_LIMIT_MS } from '../../../support/wallet-api';

let transfers: TransferApi;
const made: TransferBody[] = [];
beforeAll(async () => {
  transfers = await startTransferApi();
  await transfers.request();
  for (const value of ['1', '2', '3']) {
    const answer = await transfers.broadcast({ kind: 'Evm', to: RECIPIENT, value });
    made.unshift(answer.body as TransferBody);
  }
}, START_LIMIT_MS);
afterAll(() => transfers?.close());

type Page = { readonly items: readonly TransferBody[]; readonly nextPageToken?: string };

const list = (query = '', walletId = transfers.wallet.id) =>
  transfers.admin.client.get(`/wallets/${walletId}/transactions${query}`);

test('200: the transactions of the wallet, newest first, without its transfers', async () => {
  expect((await list()).body).toMatchObject({ walletId: transfers.wallet.id, items: made });
  const { items } = (await transfers.admin.client.get(`/wallets/${transfers.wallet.id}/transfers`)).body as Page;
  expect(items).toHaveLength(1);
  expect(items[0]?.id).toMatch(/^xfr-/);
});

test('200: pages follow each other without gaps or duplicates, and the last page has no token', async () => {
  const first = (await list('?limit=2')).body as Page;
  const second = (await list(`?limit=2&paginationToken=${first.nextPageToken}`)).body as Page;
  expect([...first.items, ...second.items].map(({ id }) => id)).toEqual(made.map(({ id }) => id));
  expect(second.nextPageToken).toBeUndefined();
});

test.each(['?limit=0', '?limit=501', '?paginationToken=nonsense'])('400: %s', async (query) => {
  expect((await list(query)).status).toBe(400);
});

test('401: without a token', async () => {
  expect((await fetch(`${transfers.api.url}/wallets/${transfers.wallet.id}/transactions`)).status).toBe(401);
});

test('404: a wallet that is unknown or belongs to another organisation', async () => {
  expect(await list('', newId('wallet'))).toMatchObject(refusal(404, 'NotFound'));
  const path = `/wallets/${transfers.wallet.id}/transactions`;
  expect(await transfers.stranger.client.get(path)).toMatchObject(refusal(404, 'NotFound'));
});

test('403: without Wallets:Transactions:Read', async () => {
  const person = await transfers.api.createPerson(transfers.orgId, { operations: ['Wallets:Transfers:Read'] });
  expect(await person.client.get(`/wallets/${transfers.wallet.id}/transactions`)).toMatchObject(refusal(403, 'Forbidden'));
});
