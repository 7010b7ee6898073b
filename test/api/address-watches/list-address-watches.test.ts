import { newId } from '../../../platform/ids';
import { type AddressWatchApi, type AddressWatchBody, someAddress, startAddressWatchApi } from '../../support/address-watch-api';
import { faultAt, refusal, START_LIMIT_MS } from '../../support/wallet-api';

let watches: AddressWatchApi;
let all: readonly AddressWatchBody[];
beforeAll(async () => {
  watches = await startAddressWatchApi();
  const externalId = newId('transfer');
  const [first, second, third] = [
    await watches.watch({ tags: ['a', 'b'] }),
    await watches.watch({ tags: ['b'], externalId }),
    await watches.watch(),
  ];
  const archived = (await watches.admin.client.change('DELETE', `/address-watches/${third.id}`)).body as AddressWatchBody;
  all = [archived, second, first];
}, START_LIMIT_MS);
afterAll(() => watches?.close());

type Page = { readonly items: readonly AddressWatchBody[]; readonly nextPageToken?: string };
const list = (query = '', by = watches.admin) => by.client.get(`/address-watches${query}`);
const found = async (query: string) => ((await list(query)).body as Page).items.map(({ id }) => id);

test('200: the watches, newest first, page by page, and no watch of another organisation', async () => {
  expect((await list()).body).toEqual({ items: all });
  const { items, nextPageToken } = (await list('?limit=2')).body as Page;
  expect(items).toEqual(all.slice(0, 2));
  expect((await list(`?paginationToken=${nextPageToken}`)).body).toEqual({ items: all.slice(2) });
  expect((await list('', watches.stranger)).body).toEqual({ items: [] });
});

test('200: the filters combine, and an address is found in any spelling', async () => {
  const [archived, second, first] = all as [AddressWatchBody, AddressWatchBody, AddressWatchBody];
  expect(await found('?status=Archived')).toEqual([archived.id]);
  expect(await found('?status=Active&tags=b')).toEqual([second.id, first.id]);
  expect(await found('?tags=a,b')).toEqual([first.id]);
  expect(await found(`?externalId=${String(second['externalId'])}`)).toEqual([second.id]);
  expect(await found(`?address=${first.address.toLowerCase()}`)).toEqual([first.id]);
  expect(await found(`?network=EthereumSepolia&address=${first.address}`)).toEqual([first.id]);
  expect(await found('?network=Base')).toEqual([]);
  expect(await found(`?address=${someAddress()}`)).toEqual([]);
});

test('400: a network outside the list, an address that no network accepts, and a page token from another list', async () => {
  expect(await list('?network=Bitcoin')).toMatchObject(refusal(400, 'InvalidRequest', faultAt('query.network')));
  expect(await list('?address=nonsense')).toMatchObject(refusal(400, 'InvalidAddress', faultAt('query.address')));
  expect(await list('?paginationToken=nonsense')).toMatchObject(refusal(400, 'InvalidPaginationToken'));
});

test('403: without AddressWatches:Read', async () => {
  const person = await watches.api.createPerson(watches.orgId, { operations: ['AddressWatches:Create'] });
  expect(await list('', person)).toMatchObject(refusal(403, 'Forbidden'));
});
