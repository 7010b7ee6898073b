import type { Judgement } from '../../domain/judgements';
import type { TravelRuleProgress, TravelRuleState } from '../../domain/travel-rules';
import { stagesShown } from '../support/stages-shown';
import { openTransferStage, type Transfer, type TransferStage } from '../support/transfer-life';
import { waitUntil } from '../support/wait-until';

let stage: TransferStage;
beforeAll(async () => {
  stage = await openTransferStage();
}, 120_000);
afterAll(() => stage?.close());

const HOUR_MS = 3_600_000;
const ASKING: Judgement = { outcome: 'Asking', asks: [{ vendor: 'TravelRule', messageId: 'trm-1' }] };

/** A message in its row. The story sets the state, and time ends the message as the database would. */
function message(triggerMs: number) {
  const state: { now: TravelRuleState } = { now: 'Submitted' };
  let waitedMs = 0;
  const progress = async (): Promise<TravelRuleProgress> => ({ state: state.now, waitMs: Math.max(1, triggerMs - waitedMs) });
  return {
    stands: (now: TravelRuleState) => {
      state.now = now;
    },
    submitTravelRule: progress,
    readTravelRule: progress,
    /** Each poll comes after a pause. The last poll finds that the time limit has passed. */
    pollTravelRule: async () => {
      waitedMs += waitedMs === 0 ? 30_000 : Math.min(300_000, waitedMs + 30_000);
      if (waitedMs >= triggerMs) state.now = 'TimedOut';
      return progress();
    },
  };
}

/** Judges a transfer twice: before the message has ended, and after the message has ended. */
function judgedBy(end: Judgement): () => Promise<Judgement> {
  let judged = 0;
  return async () => {
    judged += 1;
    return judged === 1 ? ASKING : end;
  };
}

const called = (calls: readonly string[], name: string) => waitUntil(name, () => calls.includes(name));
const BLOCKED: Judgement = { outcome: 'Ended', state: 'Rejected' };
const passedMs = async (transfer: Transfer): Promise<number> => {
  const { startTime, closeTime } = await transfer.describe();
  return (closeTime?.getTime() ?? 0) - startTime.getTime();
};

test('after its message is accepted, a transfer continues, and its policies are evaluated once more', async () => {
  const { stands, ...told } = message(HOUR_MS);
  const replaced = { ...told, evaluateTransfer: judgedBy({ outcome: 'Cleared' }) };
  await stage.play('travel-rule-accepted', replaced, async (transfer, calls) => {
    await called(calls, 'submitTravelRule');
    stands('Accepted');
    await transfer.signal('travelRuleChanged');
    await called(calls, 'broadcastTransfer');
    await transfer.signal('settled', 'Confirmed');
    expect(await transfer.result()).toBe('Confirmed');
    expect(await stagesShown(transfer)).toEqual(['TravelRule', '']);
    expect(calls.slice(0, 5)).toEqual([
      'evaluateTransfer',
      'submitTravelRule',
      'readTravelRule',
      'evaluateTransfer',
      'prepareTransfer',
    ]);
  });
});

test.each(['Declined', 'Invalid'] as const)('a message that is %s ends the transfer where a policy blocks it', async (state) => {
  const { stands, ...told } = message(HOUR_MS);
  const replaced = { ...told, evaluateTransfer: judgedBy(BLOCKED) };
  await stage.play(`travel-rule-${state.toLowerCase()}`, replaced, async (transfer, calls) => {
    await called(calls, 'submitTravelRule');
    stands('Delivered');
    await transfer.signal('travelRuleChanged');
    await called(calls, 'readTravelRule');
    stands(state);
    await transfer.signal('travelRuleChanged');
    expect(await transfer.result()).toBe('Rejected');
    expect(calls).not.toContain('prepareTransfer');
  });
});

test('the transfer does not wait for a message that the vendor refuses at once', async () => {
  const replaced = {
    submitTravelRule: async () => ({ state: 'Invalid', waitMs: 0 }) as const,
    evaluateTransfer: judgedBy(BLOCKED),
  };
  await stage.play('travel-rule-refused', replaced, async (transfer, calls) => {
    expect(await transfer.result()).toBe('Rejected');
    expect(calls).toEqual(['evaluateTransfer', 'submitTravelRule', 'evaluateTransfer']);
    expect(await passedMs(transfer)).toBeLessThan(20_000);
  });
});

test('a silent message ends at the deadline in its row and not before, with ever longer pauses between polls of the vendor', async () => {
  const { stands: _, ...told } = message(HOUR_MS);
  const replaced = { ...told, evaluateTransfer: judgedBy(BLOCKED) };
  await stage.play('travel-rule-timed-out', replaced, async (transfer, calls) => {
    expect(await transfer.result()).toBe('Rejected');
    const polls = calls.filter((name) => name === 'pollTravelRule').length;
    expect(polls).toBeGreaterThan(10);
    expect(polls).toBeLessThan(25);
    expect(await passedMs(transfer)).toBeGreaterThan(HOUR_MS / 2);
  });
});

test('silence after the delivery clears the message if the policies permit that', async () => {
  const { stands, ...told } = message(HOUR_MS);
  const pollTravelRule = async () => {
    stands('Cleared');
    return told.readTravelRule();
  };
  const replaced = { ...told, pollTravelRule, evaluateTransfer: judgedBy({ outcome: 'Cleared' }) };
  await stage.play('travel-rule-cleared', { ...replaced, readSettled: async () => 'Confirmed' }, async (transfer, calls) => {
    await called(calls, 'submitTravelRule');
    stands('Delivered');
    await transfer.signal('travelRuleChanged');
    expect(await transfer.result()).toBe('Confirmed');
  });
});

test('an unreachable vendor is asked for a minute, and then the message fails', async () => {
  const replaced = {
    submitTravelRule: async () => {
      throw new Error('the vendor cannot be reached');
    },
    evaluateTransfer: judgedBy(BLOCKED),
  };
  await stage.play('travel-rule-vendor-away', replaced, async (transfer, calls) => {
    expect(await transfer.result()).toBe('Rejected');
    expect(calls.filter((name) => name === 'submitTravelRule').length).toBeGreaterThan(3);
    expect(calls.slice(-2)).toEqual(['failTravelRule', 'evaluateTransfer']);
    expect(await passedMs(transfer)).toBeLessThan(120_000);
  });
});

test('if later polls of the vendor fail, the message still waits until its deadline', async () => {
  let readings = 0;
  const replaced = {
    submitTravelRule: async () => ({ state: 'Submitted', waitMs: HOUR_MS }) as const,
    pollTravelRule: async () => {
      throw new Error('the vendor cannot be reached');
    },
    readTravelRule: async (): Promise<TravelRuleProgress> => {
      readings += 1;
      return readings < 3 ? { state: 'Submitted', waitMs: HOUR_MS } : { state: 'TimedOut', waitMs: 0 };
    },
    evaluateTransfer: judgedBy(BLOCKED),
  };
  await stage.play('travel-rule-polls-fail', replaced, async (transfer, calls) => {
    expect(await transfer.result()).toBe('Rejected');
    expect(calls).not.toContain('failTravelRule');
    expect(calls.filter((name) => name === 'pollTravelRule')).toHaveLength(3);
  });
});

test('if an answer arrives at the deadline, the state in the row decides', async () => {
  // The callback was accepted before the deadline timer fired, so the check after the timer finds an accepted message.
  const replaced = {
    submitTravelRule: async () => ({ state: 'Submitted', waitMs: 1_000 }) as const,
    pollTravelRule: async () => ({ state: 'Accepted', waitMs: 0 }) as const,
    evaluateTransfer: judgedBy({ outcome: 'Cleared' }),
    readSettled: async () => 'Confirmed' as const,
  };
  await stage.play('travel-rule-answer-beats-time', replaced, async (transfer, calls) => {
    expect(await transfer.result()).toBe('Confirmed');
    await transfer.signal('travelRuleChanged').catch(() => undefined); // the workflow may have ended and then accepts no signal
    expect(calls).not.toContain('failTravelRule');
  });
});

test('after a wake-up without a change, a transfer reads the message and keeps waiting', async () => {
  const { stands, ...told } = message(HOUR_MS);
  const replaced = { ...told, evaluateTransfer: judgedBy({ outcome: 'Cleared' }), readSettled: async () => 'Confirmed' as const };
  await stage.play('travel-rule-woken-for-nothing', replaced, async (transfer, calls) => {
    await called(calls, 'submitTravelRule');
    await transfer.signal('travelRuleChanged');
    await called(calls, 'readTravelRule');
    await transfer.cancel();
    stands('Accepted');
    await transfer.signal('travelRuleChanged');
    expect(await transfer.result()).toBe('Confirmed');
  });
});
