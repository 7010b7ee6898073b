import { ApplicationFailure } from '@temporalio/client';
import type { Preparation } from '../../domain/transfer-steps';
import { openTransferStage, type TransferStage } from '../support/transfer-life';

let stage: TransferStage;
beforeAll(async () => {
  stage = await openTransferStage();
}, 120_000);
afterAll(() => stage?.close());

/** This bound lies far below the 51,200 events at which the server ends a workflow. */
const EVENTS_MAX = 2_500;
/** The number of looks during one wait. Each look takes about ten events. */
const LOOKS = 210;

test('a transfer that waits for lower fees for days continues in new runs, and is judged again in each run', async () => {
  let looks = 0;
  const prepareTransfer = async (): Promise<Preparation> => {
    looks += 1;
    return looks <= LOOKS ? 'FeeAboveCeiling' : 'Ready';
  };
  await stage.play(
    'renewed-before-signing',
    { prepareTransfer, readSettled: async () => 'Confirmed' },
    async (transfer, calls) => {
      expect(await transfer.result()).toBe('Confirmed');
      const { historyLength } = await transfer.describe();
      expect(historyLength).toBeLessThan(EVENTS_MAX);
      expect(calls.filter((name) => name === 'evaluateTransfer').length).toBeGreaterThan(1);
      expect(calls.filter((name) => name === 'signTransfer')).toHaveLength(1);
    },
  );
}, 120_000);

test('a transfer that cannot be signed for weeks continues in new runs, which neither judge nor end the transfer', async () => {
  let looks = 0;
  const signTransfer = async (): Promise<'Signed'> => {
    looks += 1;
    if (looks <= LOOKS) throw ApplicationFailure.nonRetryable('the signer’s rows are damaged', 'Internal');
    return 'Signed';
  };
  await stage.play('renewed-while-signing', { signTransfer, readSettled: async () => 'Confirmed' }, async (transfer, calls) => {
    expect(await transfer.result()).toBe('Confirmed');
    const { historyLength } = await transfer.describe();
    expect(historyLength).toBeLessThan(EVENTS_MAX);
    expect(calls.filter((name) => ['evaluateTransfer', 'failTransfer'].includes(name))).toEqual(['evaluateTransfer']);
  });
}, 120_000);
