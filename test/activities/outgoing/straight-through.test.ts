import { AppError } from '../../../domain/errors';
import { createTestDatabase, type TestDatabase } from '../../support/database';
import { createTransferSteps, type TransferSteps } from '../../support/transfer-steps';
import { waitUntil } from '../../support/wait-until';

let database: TestDatabase;
let steps: TransferSteps;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database?.close());
beforeEach(async () => {
  steps = await createTransferSteps(database.db, await database.createOrganization());
});

const stateOf = async (id: string) => (await steps.row(id)).state;
const frozen = () => Promise.reject(new AppError('Frozen', 'the deployment is frozen'));

test('a ready transfer is signed and sent in the same attempt, and a second attempt neither signs nor sends again', async () => {
  const id = await steps.transfer();
  expect(await steps.prepareThrough(id)).toBe('Sent');
  expect(await stateOf(id)).toBe('Broadcasted');
  expect(steps.reported).toEqual(['signTransfer', 'broadcastTransfer']);
  expect(await steps.prepareThrough(id)).toBe('Sent');
  expect([steps.orders.length, steps.chain.sent.length]).toEqual([1, 1]);
});

test('a run that asks for neither signing nor sending only prepares the transfer', async () => {
  const id = await steps.transfer();
  expect(await steps.prepare(id)).toBe('Ready');
  expect([await stateOf(id), steps.orders.length]).toEqual(['Signing', 0]);
});

test('a transfer that stays in Signing for lack of a signer is signed later by the signing step, with the same nonce', async () => {
  const { sign } = steps;
  steps.sign = () => Promise.reject(new AppError('SignerUnavailable', 'nobody listens'));
  const id = await steps.transfer();
  expect(await steps.prepareThrough(id)).toBe('Ready');
  expect(await stateOf(id)).toBe('Signing');
  steps.sign = sign;
  await steps.send(id);
  expect([await stateOf(id), await steps.claims()]).toEqual(['Broadcasted', ['0 Signing']]);
});

test('a transfer that no node accepts stays signed, and the same bytes are sent later', async () => {
  steps.chain.down = 'broadcast';
  const id = await steps.transfer();
  expect(await steps.prepareThrough(id)).toBe('Ready');
  expect(await stateOf(id)).toBe('Signed');
  const { rawHex } = await steps.payload(id);
  steps.chain.down = undefined;
  await steps.broadcast(id);
  expect([steps.orders.length, steps.chain.sent]).toEqual([1, [rawHex]]);
});

test('while the deployment is frozen, nothing is signed, and bytes signed before are not sent', async () => {
  steps.thawed = frozen;
  const unsigned = await steps.transfer();
  expect(await steps.prepareThrough(unsigned)).toBe('Ready');
  expect([await stateOf(unsigned), steps.orders.length]).toEqual(['Signing', 0]);

  const { sign } = steps;
  steps.thawed = async () => undefined;
  steps.sign = (order) => {
    steps.thawed = frozen;
    return sign(order);
  };
  const signed = await steps.transfer();
  expect(await steps.prepareThrough(signed)).toBe('Ready');
  expect([await stateOf(signed), steps.chain.sent.length]).toEqual(['Signed', 0]);
});

test('a transfer with a requested abort ends without a signature', async () => {
  const id = await steps.transfer({ abortAsked: new Date() });
  expect(await steps.prepareThrough(id)).toBe('Failed');
  expect([await stateOf(id), steps.orders.length]).toEqual(['Failed', 0]);
});

test('a slow signer gets at most sixteen orders at once, and the next transfer is left to the signing step', async () => {
  const AT_ONCE = 16;
  const { sign } = steps;
  let answer = () => {};
  const answered = new Promise<void>((resolve) => {
    answer = resolve;
  });
  steps.sign = async (order) => {
    await answered;
    return sign(order);
  };
  const ids = await Promise.all(Array.from({ length: AT_ONCE }, () => steps.transfer()));
  const under = ids.map((id) => steps.prepareThrough(id));
  await waitUntil('sixteen wait for the signer', () => steps.orders.length === AT_ONCE);
  // The lane has only sixteen places too. So the test retries a transfer that already has a place: no order is added.
  expect([await steps.prepareThrough(ids[0] ?? ''), steps.orders.length]).toEqual(['Ready', AT_ONCE]);
  answer();
  expect(new Set(await Promise.all(under))).toEqual(new Set(['Sent']));
});
