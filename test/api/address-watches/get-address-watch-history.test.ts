import { newId } from '../../../platform/ids';
import {
  type AddressWatchApi,
  type AddressWatchBody,
  startAddressWatchApi,
  TOKEN,
  tokenPayment,
} from '../../support/address-watch-api';
import { refusal, START_LIMIT_MS } from '../../support/wallet-api';
import { writeMovements } from '../../support/written-movements';

let watches: AddressWatchApi;
let watch: AddressWatchBody;
beforeAll(async () => {
  watches = await startAddressWatchApi();
  watch = await watches.watch();
  const wallet = await watches.createWallet();
  await writeMovements(watches.api.database.db, watches.orgId, [
    { subjectId: watch.id, feeUnits: '21', quotes: { USD: '3000.5' } },
    tokenPayment(watch.id),
    { subjectId: wallet.id },
  ]);
}, START_LIMIT_MS);
afterAll(() => watches?.close());

type Page = { readonly items: readonly unknown[]; readonly nextPageToken?: string };
const get = (query = '', id = watch.id, by = watches.admin) => by.client.get(`/address-watches/${id}/history${query}`);

test('200: each movement has the members of the published interface with the id of the watch, newest first', async () => {
  const common = {
    addressWatchId: watch.id,
    network: 'EthereumSepolia',
    direction: 'In',
    txHash: expect.any(String),
    status: 'Included',
  };
  const parties = { from: expect.any(String), to: expect.any(String), timestamp: expect.any(String) };
  expect((await get()).body).toEqual({
    ...{ addressWatchId: watch.id, network: 'EthereumSepolia' },
    items: [
      {
        ...{ ...common, ...parties, kind: 'Erc20Transfer', blockNumber: 1001, contract: TOKEN, index: '41', value: '9' },
        ...{ symbol: 'TOK', decimals: 2, verified: false, metadata: { asset: { symbol: 'TOK', decimals: 2, verified: false } } },
      },
      {
        ...{ ...common, ...parties, kind: 'NativeTransfer', blockNumber: 1000, value: '7', fee: '21' },
        ...{ symbol: 'ETH', decimals: 18, verified: true },
        metadata: {
          asset: { symbol: 'ETH', decimals: 18, verified: true, quotes: { USD: 3000.5 } },
          fee: { symbol: 'ETH', decimals: 18, verified: true },
        },
      },
    ],
  });
});

test('200: page by page, and the first page contains the block from which the history is complete', async () => {
  await watches.api.database.arrange('UPDATE watched_addresses SET live_from = 998 WHERE subject_id = $1', [watch.id]);
  const first = (await get('?limit=1')).body as Page;
  expect(first).toMatchObject({ items: [{ kind: 'Erc20Transfer' }], liveFromBlock: 998 });
  const second = (await get(`?limit=1&paginationToken=${first.nextPageToken}`)).body as Page;
  expect(second).toMatchObject({ items: [{ kind: 'NativeTransfer' }] });
  expect(second).not.toHaveProperty('nextPageToken');
});

test('200: the history of all wallets contains no movement of a watch', async () => {
  const period = '?startTime=2026-02-01T00:00:00Z&endTime=2026-04-01T00:00:00Z';
  const { items } = (
    await watches.admin.client.send({
      method: 'GET',
      path: `/wallets/all/history${period}`,
      headers: { accept: 'application/json' },
    })
  ).body as Page;
  expect(items).toHaveLength(1);
});

test('200: the history of an archived watch stays readable', async () => {
  const archived = await watches.watch();
  await writeMovements(watches.api.database.db, watches.orgId, [{ subjectId: archived.id }]);
  await watches.admin.client.change('DELETE', `/address-watches/${archived.id}`);
  expect(((await get('', archived.id)).body as Page).items).toHaveLength(1);
});

test('400 and 404: a page token from another list, and a watch that is unknown or belongs to another organisation', async () => {
  expect(await get('?paginationToken=nonsense')).toMatchObject(refusal(400, 'InvalidPaginationToken'));
  expect(await get('', newId('addressWatch'))).toMatchObject(refusal(404, 'NotFound'));
  expect(await get('', watch.id, watches.stranger)).toMatchObject(refusal(404, 'NotFound'));
});

test('403: without AddressWatches:Read', async () => {
  const person = await watches.api.createPerson(watches.orgId, { operations: ['Wallets:Read'] });
  expect(await get('', watch.id, person)).toMatchObject(refusal(403, 'Forbidden'));
});
