import { newId } from '../../../../platform/ids';
import { startTransferApi, type TransferApi, type TransferBody } from '../../../support/transfer-api';
import { refusal, START_LIMIT_MS } from '../../../support/wallet-api';

let transfers: TransferApi;
let made: readonly TransferBody[];
beforeAll(async () => {
  transfers = await startTransferApi();
  const list: TransferBody[] = [];
  for (const amount of ['1', '2', '3', '4', '5']) list.push(await transfers.request({ amount }));
  made = list.reverse();
}, START_LIMIT_MS);
afterAll(() => transfers?.close());

type Page = { readonly items: readonly TransferBody[]; readonly nextPageToken?: string; readonly walletId: string };

const list = (query = '', walletId = transfers.wallet.id) => transfers.admin.client.get(`/wallets/${walletId}/transfers${query}`);

test('200: every transfer of the wallet, newest first, and no transfer of another wallet', async () => {
  const other = await transfers.createWallet();
  expect((await list()).body).toMatchObject({ walletId: transfers.wallet.id, items: made });
  expect((await list('', other.id)).body).toEqual({ walletId: other.id, items: [] });
});

test('200: pages follow each other without gaps or duplicates, and the last page has no token', async () => {
  const seen: string[] = [];
  let token: string | undefined;
  do {
    const page = (await list(`?limit=2${token === undefined ? '' : `&paginationToken=${token}`}`)).body as Page;
    expect(page.items.length).toBeLessThanOrEqual(2);
    seen.push(...page.items.map(({ id }) => id));
    token = page.nextPageToken;
  } while (token !== undefined);
  expect(seen).toEqual(made.map(({ id }) => id));
});

test.each(['?limit=0', '?limit=501', '?limit=ten', '?limit=-1', '?paginationToken=nonsense', '?limit=1&limit=2'])(
  '400: %s',
  async (query) => {
    expect((await list(query)).status).toBe(400);
  },
);

test('404: a wallet that is unknown or belongs to another organisation', async () => {
  expect(await list('', newId('wallet'))).toMatchObject(refusal(404, 'NotFound'));
  expect(await transfers.stranger.client.get(`/wallets/${transfers.wallet.id}/transfers`)).toMatchObject(
    refusal(404, 'NotFound'),
  );
});

test('403: without Wallets:Transfers:Read', async () => {
  const person = await transfers.api.createPerson(transfers.orgId, { operations: ['Wallets:Read'] });
  expect(await person.client.get(`/wallets/${transfers.wallet.id}/transfers`)).toMatchObject(refusal(403, 'Forbidden'));
});
