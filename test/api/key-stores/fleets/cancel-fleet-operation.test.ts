import { noteAnswer } from '../../../support/examples';
import { type FleetApi, type StoreApi, startFleetApi } from '../../../support/fleet-api';
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

const call = (groupId: string, body: object = { reason: 'the device broke' }, by = fleets.maker, storeId = store.storeId) =>
  by.client.change('POST', `/key-stores/${storeId}/fleet-operations/cancel`, { groupId, ...body });

test('200: the group ends with the reason, no output of it is accepted, and the next group can begin', async () => {
  const output = await store.output();
  const { groupId } = await store.group();
  const { status, body } = await call(groupId, undefined, fleets.carrier);
  expect(status).toBe(200);
  const sent = { groupId, reason: 'the device broke' };
  noteAnswer('cancelFleetOperation', sent, { status, body }, { storeId: store.storeId });
  expect(body).toEqual({
    ...{ groupId, storeId: store.storeId, orgId: fleets.orgId, status: 'Canceled', reason: 'the device broke' },
    ...{ createdBy: fleets.maker.userId, canceledBy: fleets.carrier.userId },
    ...{ dateCreated: expect.any(String), dateCanceled: expect.any(String) },
    operations: [
      { operationId: expect.stringMatching(/^fo-/), kind: 'Genesis', status: 'Canceled', dateCreated: expect.any(String) },
    ],
  });
  expect(await store.submit(output)).toMatchObject(refusal(409, 'WrongState', { groupId, status: 'Canceled' }));
  expect((await store.begin()).status).toBe(200);
});

test.each<[string, object]>([
  ['body.reason', {}],
  ['body.reason', { reason: '' }],
  ['body.reason', { reason: 'x'.repeat(1_001) }],
  ['body.more', { reason: 'x', more: 1 }],
])('400: the body is refused at %s', async (path, body) => {
  await store.begin();
  expect(await call((await store.group()).groupId, body)).toMatchObject(refusal(400, 'InvalidRequest', faultAt(path)));
  expect((await store.group()).status).toBe('Initialized');
});

test('403: an end user cannot cancel a group', async () => {
  await store.begin();
  expect((await call((await store.group()).groupId, undefined, fleets.endUser)).status).toBe(403);
});

test('404: the group is of another key store or organisation, or unknown', async () => {
  await store.begin();
  const { groupId } = await store.group();
  expect(await call(groupId, undefined, undefined, fleets.newStore().storeId)).toMatchObject(
    refusal(404, 'NotFound', { groupId }),
  );
  expect((await call(groupId, undefined, fleets.stranger)).status).toBe(404);
  expect((await call('no-group')).status).toBe(404);
  expect((await store.group()).status).toBe('Initialized');
});

test('409: the group has ended', async () => {
  await store.play();
  const { groupId } = await store.group();
  expect(await call(groupId)).toMatchObject(refusal(409, 'WrongState', { groupId, status: 'Approved' }));
});
