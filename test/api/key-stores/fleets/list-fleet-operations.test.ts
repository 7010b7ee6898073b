import { noteAnswer } from '../../../support/examples';
import { type FleetApi, type GroupBody, type StoreApi, startFleetApi } from '../../../support/fleet-api';
import { faultAt, refusal, START_LIMIT_MS } from '../../../support/wallet-api';

let fleets: FleetApi;
let store: StoreApi;
beforeAll(async () => {
  fleets = await startFleetApi();
}, START_LIMIT_MS);
afterAll(() => fleets?.close());
beforeEach(() => {
  store = fleets.newStore();
});

const read = (rest: string, by = fleets.maker) => by.client.get(`/key-stores/${store.storeId}/fleet-operations${rest}`);

test('200: the groups of the key store, newest first, in pages and by status', async () => {
  await store.play();
  await store.begin({ kind: 'Clone', hsmSourceSerial: 'D-1', hsmTargetSerial: 'D-2' });
  const page = async (query: string) => (await read(query)).body as { items: GroupBody[]; nextPageToken?: string };
  const all = await page('');
  noteAnswer('listFleetOperations', undefined, { status: 200, body: all }, { storeId: store.storeId });
  expect(all.items.map(({ status }) => status)).toEqual(['Initialized', 'Approved']);
  const first = await page('?limit=1');
  const second = await page(`?limit=1&paginationToken=${first.nextPageToken}`);
  expect([first, second].flatMap(({ items }) => items)).toEqual(all.items);
  expect(second.nextPageToken).toBeUndefined();
  expect((await page('?status=Approved')).items).toEqual([all.items[1]]);
});

test('400: the status is none of a group', async () => {
  expect(await read('?status=Open')).toMatchObject(refusal(400, 'InvalidRequest', faultAt('query.status')));
});

test('403: an end user', async () => {
  expect((await read('', fleets.endUser)).status).toBe(403);
});

test('404: the key store is of another organisation', async () => {
  expect((await read('', fleets.stranger)).status).toBe(404);
});
