import { SignedInput } from '../../../../platform/fleets/inputs';
import { ONCHAIN_SIGN_PATH, type SigningApi, type SigningOffice, startSigningApi } from '../../../support/device-signing-api';
import { noteAnswer } from '../../../support/examples';
import { refusedBySigner } from '../../../support/fleet-steps';
import { OFFLINE_STORE_ID } from '../../../support/offline-steps';
import { faultAt, refusal, START_LIMIT_MS } from '../../../support/wallet-api';

let signing: SigningApi;
let office: SigningOffice;
beforeAll(async () => {
  signing = await startSigningApi();
}, START_LIMIT_MS);
afterAll(() => signing?.close());
beforeEach(async () => {
  office = await signing.createOffice();
});

test('200: the archive contains the waiting requests, oldest first, and the group returns it again', async () => {
  const ids = [await office.steps.atDevice(), await office.steps.atDevice()];
  const { status, body } = await office.begin();
  expect([status, typeof body]).toEqual([200, 'string']);
  noteAnswer('createOnchainSignInput', {}, { status, body }, { storeId: OFFLINE_STORE_ID });
  const { task } = SignedInput.parse(JSON.parse(body)).input;
  expect(task.kind === 'OnchainSign' && task.requests.map(({ requestId }) => requestId)).toEqual(ids);
  const { groupId, status: state } = await office.group();
  expect(state).toBe('Initialized');
  const again = await office.maker.client.get(`/key-stores/${OFFLINE_STORE_ID}/fleet-operations/${groupId}/archive`);
  expect(again.body).toBe(body);
});

test('400: the body has members', async () => {
  await office.steps.atDevice();
  const answer = await office.maker.client.change('POST', ONCHAIN_SIGN_PATH, { kind: 'OnchainSign' });
  expect(answer).toMatchObject(refusal(400, 'InvalidRequest', faultAt('body.kind')));
});

test('403: an end user, and a person without the permission, cannot collect requests', async () => {
  await office.steps.atDevice();
  const reader = await signing.api.createPerson(office.orgId, { operations: ['KeyStores:Read'] });
  const endUser = await signing.api.createPerson(office.orgId, { kind: 'EndUser' });
  for (const by of [reader, endUser]) expect((await office.begin(by)).status).toBe(403);
});

test('404: the key store is the software store, unknown, or of another organisation', async () => {
  for (const storeId of ['software', 'no-such-store']) {
    const answer = await office.maker.client.change('POST', ONCHAIN_SIGN_PATH.replace(OFFLINE_STORE_ID, storeId), {});
    expect(answer).toMatchObject(refusal(404, 'NotFound', { storeId }));
  }
  expect((await office.begin(signing.stranger)).status).toBe(404);
});

test('409: no request waits', async () => {
  expect(await office.begin()).toMatchObject(refusal(409, 'WrongState', { storeId: OFFLINE_STORE_ID }));
});

test('409: the key store has an open group', async () => {
  await office.steps.atDevice();
  await office.begin();
  const { groupId } = await office.group();
  expect(await office.begin()).toMatchObject(refusal(409, 'Conflict', { groupId, status: 'Initialized' }));
});

test('409: the signer refuses the only waiting request, and the group is canceled', async () => {
  await office.steps.atDevice();
  office.steps.refuse = () => {
    throw refusedBySigner('NotPermitted');
  };
  const answer = await office.begin();
  const { groupId } = await office.group();
  expect(answer).toMatchObject(refusal(409, 'WrongState', { groupId, status: 'Canceled' }));
});
