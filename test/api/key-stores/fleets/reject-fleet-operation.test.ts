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

const call = (
  groupId: string,
  body: object = { reason: 'the fingerprints differ' },
  by = fleets.reviewer,
  storeId = store.storeId,
) => by.client.change('POST', `/key-stores/${storeId}/fleet-operations/${groupId}/reject`, body);

async function inReview(): Promise<GroupBody> {
  await store.submit(await store.output());
  return store.group();
}

test('200: the group ends with the reason, and the fleet stays without a manifest', async () => {
  const { groupId } = await inReview();
  const { status, body } = await call(groupId);
  expect([status, body]).toMatchObject([
    200,
    {
      groupId,
      status: 'Rejected',
      reason: 'the fingerprints differ',
      reviewedBy: fleets.reviewer.userId,
      operations: [{ status: 'Rejected' }],
    },
  ]);
  const params = { storeId: store.storeId, groupId };
  noteAnswer('rejectFleetOperation', { reason: 'the fingerprints differ' }, { status, body }, params);
  expect((await store.begin()).status).toBe(200);
});

test('400: the reason is missing', async () => {
  const { groupId } = await inReview();
  expect(await call(groupId, {})).toMatchObject(refusal(400, 'InvalidRequest', faultAt('body.reason')));
});

test('403: the people who made and submitted the group, and an end user, cannot reject it', async () => {
  const { groupId } = await inReview();
  for (const by of [fleets.maker, fleets.carrier])
    expect(await call(groupId, undefined, by)).toMatchObject(refusal(403, 'Forbidden', { groupId }));
  expect((await call(groupId, undefined, fleets.endUser)).status).toBe(403);
  expect((await store.group()).status).toBe('InReview');
});

test('404: the group is of another key store or organisation', async () => {
  const { groupId } = await inReview();
  expect((await call(groupId, undefined, undefined, fleets.newStore().storeId)).status).toBe(404);
  expect((await call(groupId, undefined, fleets.stranger)).status).toBe(404);
});

test('409: the group is not in review', async () => {
  await store.begin();
  const { groupId } = await store.group();
  expect(await call(groupId)).toMatchObject(refusal(409, 'WrongState', { groupId, status: 'Initialized' }));
});
