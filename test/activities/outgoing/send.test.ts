import type { BroadcastOutcome } from '../../../chains/types';
import { createTestDatabase, type TestDatabase } from '../../support/database';
import { createTransferSteps, type TransferSteps } from '../../support/transfer-steps';

let database: TestDatabase;
let steps: TransferSteps;
let id: string;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database?.close());
beforeEach(async () => {
  steps = await createTransferSteps(database.db, await database.createOrganization());
  id = await steps.transfer();
  await steps.prepare(id);
  await steps.signTransfer(id);
});

const rawHex = async () => (await steps.payload(id)).rawHex;

test('the stored bytes are sent, and one event is emitted', async () => {
  await steps.broadcast(id);
  expect(steps.chain.sent).toEqual([await rawHex()]);
  expect(await steps.row(id)).toMatchObject({ state: 'Broadcasted', version: 4, dateBroadcasted: expect.any(Date) });
  expect(await steps.payload(id)).toMatchObject({ state: 'Broadcasted', dateSent: expect.any(Date) });
  expect(await steps.events(id)).toEqual(['wallet.transfer.broadcasted 4']);
});

test('bytes that a node already has are treated as sent', async () => {
  steps.chain.answer = () => 'AlreadyKnown';
  await steps.broadcast(id);
  expect(await steps.row(id)).toMatchObject({ state: 'Broadcasted' });
});

const OPEN: readonly BroadcastOutcome[] = [
  'NonceTooLow',
  'InsufficientFunds',
  'Underpriced',
  { kind: 'Rejected', reason: 'something new' },
];

test.each(OPEN)(
  'after %j from a node that does not have the bytes, they are sent again and the transfer stays open',
  async (outcome) => {
    steps.chain.answer = () => outcome;
    await expect(steps.broadcast(id)).rejects.toMatchObject({ code: 'NetworkUnavailable', retryable: true });
    expect(await steps.row(id)).toMatchObject({ state: 'Signed', version: 3 });
    expect(await steps.claims()).toEqual(['0 Signing']);
    expect(await steps.events(id)).toEqual([]);
    steps.chain.answer = undefined;
    await steps.broadcast(id);
    expect(steps.chain.sent).toEqual(Array(2).fill(await rawHex()));
  },
);

test.each(OPEN)('after %j the bytes are treated as sent if the node has them after all', async (outcome) => {
  steps.chain.answer = (_rawHex, txHash) => {
    steps.chain.mine([txHash]);
    return outcome;
  };
  await steps.broadcast(id);
  expect(await steps.row(id)).toMatchObject({ state: 'Broadcasted' });
});

test('a node that is down leaves the bytes signed and unsent', async () => {
  steps.chain.down = 'all';
  await expect(steps.broadcast(id)).rejects.toMatchObject({ code: 'NetworkUnavailable' });
  expect(await steps.payload(id)).toMatchObject({ state: 'Signed', dateSent: null });
});

test('a crash between sending and the commit sends the same bytes again and emits one event', async () => {
  let isGone = true;
  steps.chain.answer = (_rawHex, _txHash) => {
    if (!isGone) return 'AlreadyKnown';
    isGone = false;
    throw new Error('the process is gone');
  };
  await expect(steps.broadcast(id)).rejects.toThrow('gone');
  await steps.broadcast(id);
  await steps.broadcast(id);
  expect(steps.chain.sent).toEqual(Array(2).fill(await rawHex()));
  expect(await steps.events(id)).toEqual(['wallet.transfer.broadcasted 4']);
});

test('two attempts at once emit one event', async () => {
  await Promise.all([steps.broadcast(id), steps.broadcast(id)]);
  expect(await steps.row(id)).toMatchObject({ state: 'Broadcasted', version: 4 });
  expect(await steps.events(id)).toHaveLength(1);
});

test('nothing is sent for a transfer that was never signed', async () => {
  for (const state of ['Requested', 'AwaitingApproval', 'Approved', 'Failed', 'Rejected'] as const) {
    await steps.broadcast(await steps.transfer({ state }));
  }
  expect(steps.chain.sent).toEqual([]);
});
