import { noteAnswer } from '../../../support/examples';
import { type FleetApi, type GroupBody, type StoreApi, startFleetApi } from '../../../support/fleet-api';
import { refusedBySigner } from '../../../support/fleet-steps';
import { faultAt, refusal, START_LIMIT_MS } from '../../../support/wallet-api';

const MANIFEST = '5f'.repeat(32);

let fleets: FleetApi;
let store: StoreApi;
beforeAll(async () => {
  fleets = await startFleetApi();
}, START_LIMIT_MS);
afterAll(() => fleets?.close());
beforeEach(() => {
  store = fleets.newStore();
});

async function inReview(): Promise<GroupBody> {
  await store.submit(await store.output());
  return store.group();
}

test('200: the signer records the output, and the group is approved', async () => {
  const { groupId } = await inReview();
  const { status, body } = await store.approve(groupId);
  expect([status, body]).toMatchObject([
    200,
    {
      groupId,
      status: 'Approved',
      submittedBy: fleets.carrier.userId,
      reviewedBy: fleets.reviewer.userId,
      operations: [{ status: 'Approved' }],
    },
  ]);
  noteAnswer('approveFleetOperation', { manifest: MANIFEST }, { status, body }, { storeId: store.storeId, groupId });
  expect(fleets.signer.recorded.at(-1)).toMatchObject({ requestId: groupId, reviewedBy: fleets.reviewer.userId });
});

test('200: if the operator demands two reviewers, the group waits for the second', async () => {
  const { groupId } = await inReview();
  await fleets.api.database.arrange('UPDATE key_stores SET reviewers = 2 WHERE org_id = $1 AND id = $2', [
    fleets.orgId,
    store.storeId,
  ]);
  const path = `/key-stores/${store.storeId}/fleet-operations/${groupId}`;
  expect(await store.approve(groupId)).toMatchObject({ status: 200, body: { status: 'InReview' } });
  const read = (await fleets.maker.client.get(path)).body as object;
  expect(read).toMatchObject({ reviewersMissing: 1, earlierReviews: [{ reviewedBy: fleets.reviewer.userId }] });
  expect(read).not.toHaveProperty('reviewedBy');
  expect(await store.approve(groupId)).toMatchObject(refusal(409, 'WrongState', { groupId }));
  const second = await fleets.api.createPerson(fleets.orgId);
  expect(await store.approve(groupId, second)).toMatchObject({ status: 200, body: { status: 'Approved' } });
});

test('400: the digest of the manifest is missing', async () => {
  const { groupId } = await inReview();
  const path = `/key-stores/${store.storeId}/fleet-operations/${groupId}/approve`;
  const answer = await fleets.reviewer.client.change('POST', path, {});
  expect(answer).toMatchObject(refusal(400, 'InvalidRequest', faultAt('body.manifest')));
});

test('403: the people who made and submitted the group, a service account, and a person without the permission', async () => {
  const { groupId } = await inReview();
  expect(await store.approve(groupId, fleets.maker)).toMatchObject(refusal(403, 'Forbidden', { groupId }));
  const reader = await fleets.api.createPerson(fleets.orgId, { operations: ['KeyStores:Read'] });
  for (const by of [fleets.carrier, fleets.endUser, reader]) expect((await store.approve(groupId, by)).status).toBe(403);
  expect((await store.group()).status).toBe('InReview');
});

test('404: the group is of another organisation', async () => {
  const { groupId } = await inReview();
  expect((await store.approve(groupId, fleets.stranger)).status).toBe(404);
});

test('409: the manifest is another one, the group is approved already, or the signer refuses', async () => {
  const { groupId } = await inReview();
  const path = `/key-stores/${store.storeId}/fleet-operations/${groupId}/approve`;
  const other = await fleets.reviewer.client.change('POST', path, { manifest: '0'.repeat(64) });
  expect(other).toMatchObject(refusal(409, 'WrongState', { groupId }));
  fleets.signer.before = () => {
    throw refusedBySigner('ReviewerNotIndependent');
  };
  const refused = await store.approve(groupId).finally(() => {
    fleets.signer.before = () => undefined;
  });
  expect(refused).toMatchObject(refusal(409, 'WrongState', { groupId, status: 'InReview' }));
  expect((await store.approve(groupId)).status).toBe(200);
  expect(await store.approve(groupId)).toMatchObject(refusal(409, 'WrongState', { groupId, status: 'Approved' }));
});
