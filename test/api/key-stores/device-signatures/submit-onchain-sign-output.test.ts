import { type SigningApi, type SigningOffice, startSigningApi } from '../../../support/device-signing-api';
import { noteAnswer } from '../../../support/examples';
import { checksumOf } from '../../../support/fleet-story';
import { OFFLINE_STORE_ID } from '../../../support/offline-steps';
import { refusal, START_LIMIT_MS } from '../../../support/wallet-api';

let signing: SigningApi;
let office: SigningOffice;
beforeAll(async () => {
  signing = await startSigningApi();
}, START_LIMIT_MS);
afterAll(() => signing?.close());
beforeEach(async () => {
  office = await signing.createOffice();
});

/** The id of the operation is another in each run. */
const shown = ({ outputJson, file }: Awaited<ReturnType<SigningOffice['output']>>) => ({
  fileChecksum: checksumOf(file),
  outputJson: { ...outputJson, outputs: { 'fo-01m8q-a0000-0000000000000000': Object.values(outputJson.outputs)[0] } },
});

test('200: the signatures are accepted without a review, and the request continues', async () => {
  const id = await office.steps.atDevice();
  const output = await office.output();
  const { status, body } = await office.submit(output);
  expect([status, body]).toEqual([200, { status: 'success' }]);
  noteAnswer('submitOnchainSignOutput', shown(output), { status, body }, { storeId: OFFLINE_STORE_ID });
  expect(await office.group()).toMatchObject({ status: 'Approved', submittedBy: office.maker.userId });
  expect(await office.steps.signTransfer(id)).toBe('Signed');
});

test('200: of two requests the device refuses one, which waits for the next group', async () => {
  const [first, second] = [await office.steps.atDevice(), await office.steps.atDevice()];
  const { status, body } = await office.submit(await office.output([second]));
  expect([status, body]).toEqual([200, { status: 'partial' }]);
  expect(await office.steps.signTransfer(first)).toBe('Signed');
  expect(await office.steps.signTransfer(second)).toBe('Offline');
  expect((await office.submit(await office.output())).body).toEqual({ status: 'success' });
  expect(await office.steps.signTransfer(second)).toBe('Signed');
});

test('400: a bad signature is named, nothing is consumed, and the genuine output is accepted afterwards', async () => {
  const id = await office.steps.atDevice();
  const output = await office.output();
  const forged = { ...output, file: output.file.replace(/"dateMade":"20/, '"dateMade":"19') };
  const { groupId } = await office.group();
  expect(await office.submit(forged)).toMatchObject(refusal(400, 'FleetOutputInvalid', { check: 'DeviceSignature', groupId }));
  expect(await office.steps.signTransfer(id)).toBe('Offline');
  expect((await office.submit(output)).status).toBe(200);
});

test('403: an end user, and a person without the permission, cannot submit signatures', async () => {
  await office.steps.atDevice();
  const output = await office.output();
  const reader = await signing.api.createPerson(office.orgId, { operations: ['KeyStores:Read'] });
  const endUser = await signing.api.createPerson(office.orgId, { kind: 'EndUser' });
  for (const by of [reader, endUser]) expect((await office.submit(output, by)).status).toBe(403);
});

test('404: the key store is of another organisation', async () => {
  await office.steps.atDevice();
  expect((await office.submit(await office.output(), signing.stranger)).status).toBe(404);
});

test('409: an output without a signature ends the group, and the request waits for the next group', async () => {
  const id = await office.steps.atDevice();
  const output = await office.output([id]);
  const { groupId } = await office.group();
  expect(await office.submit(output)).toMatchObject(refusal(409, 'NothingSigned', { groupId }));
  expect(await office.group()).toMatchObject({ groupId, status: 'Canceled' });
  expect(await office.steps.signTransfer(id)).toBe('Offline');
  expect((await office.submit(await office.output())).body).toEqual({ status: 'success' });
});

test('409: of two outputs at once one is accepted, and none is accepted afterwards', async () => {
  await office.steps.atDevice();
  const output = await office.output();
  const answers = await Promise.all([office.submit(output), office.submit(output)]);
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
  const { groupId } = await office.group();
  expect(await office.submit(output)).toMatchObject(refusal(409, 'WrongState', { groupId, status: 'Approved' }));
});
