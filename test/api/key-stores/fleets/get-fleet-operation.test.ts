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

test('200: the group, and from the review on what the reviewer compares with paper', async () => {
  const output = await store.output();
  const { groupId } = await store.group();
  const { body: before } = await read(`/${groupId}`);
  expect(before).toEqual({ ...(await store.group()), endsAt: expect.any(String) });
  await store.submit(output);
  const { body } = await read(`/${groupId}`);
  noteAnswer('getFleetOperation', undefined, { status: 200, body }, { storeId: store.storeId, groupId });
  const member = (serial: string) => ({ serial, fingerprint: expect.stringMatching(/^([0-9a-f]{4} ){7}[0-9a-f]{4}$/) });
  expect(body).toMatchObject({
    status: 'InReview',
    proposal: {
      device: member('D-1'),
      newKeys: 3,
      manifest: {
        ...{ n: 0, threshold: 2, numSecp256k1: 2, numEd25519: 1 },
        ...{ devices: [member('D-1')], operators: [member('M-1')] },
        provisioners: ['P-1', 'P-2', 'P-3'].map(member),
      },
    },
  });
});

test('400: a query that the operation does not have', async () => {
  expect(await read('/fg-1?more=1')).toMatchObject(refusal(400, 'InvalidRequest', faultAt('query.more')));
});

test('403: an end user', async () => {
  expect((await read('/fg-1', fleets.endUser)).status).toBe(403);
});

test('404: the group is unknown, or of another organisation', async () => {
  await store.begin();
  const { groupId }: GroupBody = await store.group();
  expect(await read('/fg-1')).toMatchObject(refusal(404, 'NotFound', { groupId: 'fg-1' }));
  expect((await read(`/${groupId}`, fleets.stranger)).status).toBe(404);
});
