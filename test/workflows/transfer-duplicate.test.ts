import type { Judgement } from '../../domain/judgements';
import { inTurn } from '../support/in-turn';
import { openTransferStage, type TransferStage } from '../support/transfer-life';
import { waitUntil } from '../support/wait-until';

let stage: TransferStage;
beforeAll(async () => {
  stage = await openTransferStage();
}, 120_000);
afterAll(() => stage?.close());

const HOUR_MS = 3_600_000;
const EQUAL: Judgement = { outcome: 'Equal', equalToId: 'xfr-1', failsAfterMs: HOUR_MS };

test('a confirmed transfer is judged and continues; a wake-up for a different reason leaves the transfer waiting', async () => {
  const replaced = {
    evaluateTransfer: inTurn<Judgement>(EQUAL, EQUAL, { outcome: 'Cleared' }),
    readSettled: async () => 'Confirmed' as const,
  };
  await stage.play('equal-confirmed', replaced, async (transfer, calls) => {
    await waitUntil('the first judgement', () => calls.length === 1);
    await transfer.signal('approvalChanged');
    await waitUntil('the second judgement', () => calls.length === 2);
    await transfer.signal('approvalChanged');
    expect(await transfer.result()).toBe('Confirmed');
    expect(calls.slice(0, 4)).toEqual(['evaluateTransfer', 'evaluateTransfer', 'evaluateTransfer', 'prepareTransfer']);
  });
});

test('a transfer that is not confirmed fails at its deadline and not before', async () => {
  const replaced = { evaluateTransfer: inTurn<Judgement>(EQUAL, { outcome: 'Ended', state: 'Failed' }) };
  await stage.play('equal-not-confirmed', replaced, async (transfer, calls) => {
    expect(await transfer.result()).toBe('Failed');
    const { startTime, closeTime } = await transfer.describe();
    expect((closeTime?.getTime() ?? 0) - startTime.getTime()).toBeGreaterThanOrEqual(HOUR_MS - 60_000);
    expect(calls).toEqual(['evaluateTransfer', 'endEqual', 'evaluateTransfer']);
  });
});

test('a confirmation just before the deadline is accepted', async () => {
  const replaced = {
    evaluateTransfer: inTurn<Judgement>(EQUAL, { outcome: 'Cleared' }),
    readSettled: async () => 'Confirmed' as const,
  };
  await stage.play('equal-confirmed-in-time', replaced, async (transfer, calls) => {
    expect(await transfer.result()).toBe('Confirmed');
    expect(calls.slice(0, 4)).toEqual(['evaluateTransfer', 'endEqual', 'evaluateTransfer', 'prepareTransfer']);
  });
});
