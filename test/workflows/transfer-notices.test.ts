import { ApplicationFailure } from '@temporalio/client';
import type { Judgement } from '../../domain/judgements';
import { inTurn } from '../support/in-turn';
import { openTransferStage, type Transfer, type TransferStage } from '../support/transfer-life';
import { waitUntil } from '../support/wait-until';

let stage: TransferStage;
beforeAll(async () => {
  stage = await openTransferStage();
}, 120_000);
afterAll(() => stage?.close());

const DAYS_3_MS = 3 * 24 * 3_600_000;
const HELD_FOR_EVER: Judgement = { outcome: 'Held', approvalId: 'ap-1', groups: [{ name: 'Finance', quorum: 2, have: 1 }] };
const HELD: Judgement = { ...HELD_FOR_EVER, rejectsItselfAfterMs: DAYS_3_MS };

const called = (calls: readonly string[], name: string) => waitUntil(name, () => calls.includes(name));

const HOUR_MS = 3_600_000;
const TOLD = { ...HELD, nextNoticeInMs: 0 };

test('approvers are notified at once and reminded later, and the hold still ends in a rejection in time', async () => {
  const tellApprovers = inTurn({ nextNoticeInMs: 2 * HOUR_MS }, {});
  await stage.play('reminded', { evaluateTransfer: async () => TOLD, tellApprovers }, async (transfer, calls) => {
    expect(await transfer.result()).toBe('Rejected');
    const { startTime, closeTime } = await transfer.describe();
    const passedMs = (closeTime?.getTime() ?? 0) - startTime.getTime();
    expect(calls).toEqual(['evaluateTransfer', 'tellApprovers', 'tellApprovers', 'expireHold']);
    expect(Math.abs(passedMs - DAYS_3_MS)).toBeLessThan(60_000);
  });
});

test('an escalation that includes an earlier vote releases the transfer without a further wake-up', async () => {
  let told = 0;
  let workflow: Transfer | undefined;
  const tellApprovers = async () => {
    told += 1;
    if (told === 1) return { nextNoticeInMs: HOUR_MS };
    await workflow?.signal('approvalChanged');
    return {};
  };
  const evaluateTransfer = inTurn<Judgement>({ ...HELD_FOR_EVER, nextNoticeInMs: 0 }, { outcome: 'Cleared' });
  const replaced = { evaluateTransfer, tellApprovers, readSettled: async () => 'Confirmed' as const };
  await stage.play('escalated', replaced, async (transfer, calls) => {
    workflow = transfer;
    expect(await transfer.result()).toBe('Confirmed');
    expect(calls.slice(0, 5)).toEqual(['evaluateTransfer', 'tellApprovers', 'tellApprovers', 'readHold', 'evaluateTransfer']);
  });
});

test('a notice that cannot be written does not prevent a decision', async () => {
  const tellApprovers = () => Promise.reject(ApplicationFailure.nonRetryable('the rows are damaged', 'Internal'));
  const replaced = {
    evaluateTransfer: inTurn<Judgement>(TOLD, { outcome: 'Cleared' }),
    tellApprovers,
    readSettled: async () => 'Confirmed' as const,
  };
  await stage.play('notice-broken', replaced, async (transfer, calls) => {
    await called(calls, 'tellApprovers');
    await transfer.signal('approvalChanged');
    expect(await transfer.result()).toBe('Confirmed');
  });
});
