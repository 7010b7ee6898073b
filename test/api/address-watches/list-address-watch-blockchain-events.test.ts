import type { NewContractEvent } from '../../../entities/contract-events/contract-event.store';
import type { NewMovement } from '../../../entities/movements/movement.store';
import { newId } from '../../../platform/ids';
import {
  type AddressWatchApi,
  type AddressWatchBody,
  startAddressWatchApi,
  TOKEN,
  tokenPayment,
} from '../../support/address-watch-api';
import { faultAt, refusal, START_LIMIT_MS } from '../../support/wallet-api';
import { APPROVAL, EMITTER, writeContractEvents } from '../../support/written-contract-events';
import { writeMovements } from '../../support/written-movements';

let watches: AddressWatchApi;
let watch: AddressWatchBody;
let native: NewMovement;
let token: NewMovement;
beforeAll(async () => {
  watches = await startAddressWatchApi();
  watch = await watches.watch();
  [native, token] = (await writeMovements(watches.api.database.db, watches.orgId, [
    { subjectId: watch.id, place: '3000001' },
    tokenPayment(watch.id),
  ])) as [NewMovement, NewMovement];
}, START_LIMIT_MS);
afterAll(() => watches?.close());

type Page = { readonly items: readonly { readonly id: string }[]; readonly nextPageToken?: string };
const list = (query = '', id = watch.id, by = watches.admin) => by.client.get(`/address-watches/${id}/blockchain-events${query}`);
const found = async (query: string) => ((await list(query)).body as Page).items.map(({ id }) => id);

test('200: each event has exactly the members of the record, newest first', async () => {
  const common = {
    addressWatchId: watch.id,
    network: 'EthereumSepolia',
    status: 'Included',
    timestamp: expect.stringMatching(/Z$/),
  };
  const { fromAddress: from, toAddress: to } = native;
  expect((await list()).body).toEqual({
    ...{ addressWatchId: watch.id, network: 'EthereumSepolia' },
    items: [
      {
        ...{ ...common, id: token.id, name: 'Transfer', blockNumber: 1001, txHash: token.txHash, index: '41' },
        data: {
          ...{ kind: 'Erc20Transfer', direction: 'In', contract: TOKEN, from, to, value: '9' },
          metadata: { asset: { symbol: 'TOK', decimals: 2, verified: false } },
        },
      },
      {
        ...{ ...common, id: native.id, name: 'NativeTransfer', blockNumber: 1000, txHash: native.txHash, index: '3000001' },
        data: {
          ...{ kind: 'NativeTransfer', direction: 'In', from, to, value: '7' },
          metadata: { asset: { symbol: 'ETH', decimals: 18, verified: true } },
        },
      },
    ],
  });
});

test('200: the filters combine, and the name of an event that cannot be decoded finds nothing', async () => {
  expect(await found('?name=Transfer')).toEqual([token.id]);
  expect(await found('?name=Approval')).toEqual([]);
  expect(await found(`?contract=${TOKEN}`)).toEqual([token.id]);
  expect(await found(`?txHash=${native.txHash}`)).toEqual([native.id]);
  expect(await found(`?name=Transfer&txHash=${native.txHash}`)).toEqual([]);
});

test('200: page by page', async () => {
  const { nextPageToken } = (await list('?limit=1')).body as Page;
  const last = (await list(`?limit=1&paginationToken=${nextPageToken}`)).body as Page;
  expect(last.items.map(({ id }) => id)).toEqual([native.id]);
  expect(last).not.toHaveProperty('nextPageToken');
});

test('200: movements and other events are in the same list, in the same order, and with the same filters', async () => {
  const { id: subjectId } = await watches.watch();
  const [first, second, third] = (await writeMovements(watches.api.database.db, watches.orgId, [
    { subjectId, place: '1000000' },
    tokenPayment(subjectId, { blockHeight: '1000', place: '1500003' }),
    { subjectId, blockHeight: '1002', place: '2' },
  ])) as [NewMovement, NewMovement, NewMovement];
  const [between, last, foreign] = (await writeContractEvents(watches.api.database.db, watches.orgId, [
    { subjectId, blockHeight: '1000', place: '1500001' },
    { subjectId, blockHeight: '1002', place: '11' },
    { subjectId: watch.id, blockHeight: '1', name: 'Paused' },
  ])) as [NewContractEvent, NewContractEvent, NewContractEvent];
  const newest = [last, third, second, between, first].map(({ id }) => id);
  const ids = async (query: string) => ((await list(query, subjectId)).body as Page).items.map(({ id }) => id);
  expect(await ids('')).toEqual(newest);
  expect(await ids('?name=Approval')).toEqual([last.id, between.id]);
  expect(await ids(`?contract=${EMITTER}`)).toEqual([last.id, between.id]);
  expect(await ids(`?txHash=${between.txHash}`)).toEqual([between.id]);
  expect(await ids('?name=Transfer')).toEqual([second.id]);
  expect(await found('?name=Paused')).toEqual([foreign.id]);
  for (const limit of [1, 2, 4, 5]) {
    const pages: string[] = [];
    for (let token: string | undefined = ''; token !== undefined; ) {
      const page = (await list(`?limit=${limit}${token}`, subjectId)).body as Page;
      pages.push(...page.items.map(({ id }) => id));
      token = page.nextPageToken && `&paginationToken=${page.nextPageToken}`;
    }
    expect(pages).toEqual(newest);
  }
  expect(((await list('?name=Approval', subjectId)).body as Page).items[0]).toEqual({
    ...{ id: last.id, addressWatchId: subjectId, network: 'EthereumSepolia', name: 'Approval', blockNumber: 1002 },
    ...{ txHash: last.txHash, index: '7', timestamp: '2026-03-01T00:00:00.000Z', status: 'Included', data: APPROVAL },
  });
});

test('400: an empty name, a limit over the bound, and a page token from another list', async () => {
  expect(await list('?name=')).toMatchObject(refusal(400, 'InvalidRequest', faultAt('query.name')));
  expect(await list('?limit=501')).toMatchObject(refusal(400, 'InvalidRequest', faultAt('query.limit')));
  expect(await list('?paginationToken=nonsense')).toMatchObject(refusal(400, 'InvalidPaginationToken'));
});

test('404: a watch that is unknown or belongs to another organisation', async () => {
  expect(await list('', newId('addressWatch'))).toMatchObject(refusal(404, 'NotFound'));
  expect(await list('', watch.id, watches.stranger)).toMatchObject(refusal(404, 'NotFound'));
});

test('403: without AddressWatches:Read', async () => {
  const person = await watches.api.createPerson(watches.orgId, { operations: ['Wallets:Read'] });
  expect(await list('', watch.id, person)).toMatchObject(refusal(403, 'Forbidden'));
});
