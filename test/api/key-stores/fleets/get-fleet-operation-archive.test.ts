import { noteAnswer } from '../../../support/examples';
import { type FleetApi, type GroupBody, type StoreApi, startFleetApi } from '../../../support/fleet-api';
import { refusedBySigner } from '../../../support/fleet-steps';
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

test('200: the same text on each call, even after the end of the group', async () => {
  const { body: archive } = await store.begin();
  const { groupId } = await store.group();
  expect(await read(`/${groupId}/archive`)).toMatchObject({ status: 200, body: archive });
  const params = { storeId: store.storeId, groupId };
  noteAnswer('getFleetOperationArchive', undefined, { status: 200, body: archive }, params);
  await fleets.maker.client.change('POST', `/key-stores/${store.storeId}/fleet-operations/cancel`, { groupId, reason: 'x' });
  expect(await read(`/${groupId}/archive`)).toMatchObject({ status: 200, body: archive });
});

test('400: a query that the operation does not have', async () => {
  expect(await read('/fg-1/archive?more=1')).toMatchObject(refusal(400, 'InvalidRequest', faultAt('query.more')));
});

test('403: an end user', async () => {
  expect((await read('/fg-1/archive', fleets.endUser)).status).toBe(403);
});

test('404: the group is unknown, or of another organisation', async () => {
  await store.begin();
  const { groupId }: GroupBody = await store.group();
  expect((await read('/fg-1/archive')).status).toBe(404);
  expect((await read(`/${groupId}/archive`, fleets.stranger)).status).toBe(404);
});

test('409: the signer refused the archive', async () => {
  fleets.signer.before = () => {
    throw refusedBySigner('NotPermitted');
  };
  await store.begin().finally(() => {
    fleets.signer.before = () => undefined;
  });
  const { groupId } = await store.group();
  expect(await read(`/${groupId}/archive`)).toMatchObject(refusal(409, 'WrongState', { groupId, status: 'Canceled' }));
});
