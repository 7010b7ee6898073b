import { ApplicationFailure } from '@temporalio/client';
import type { Judgement } from '../../domain/judgements';
import type { Preparation } from '../../domain/transfer-steps';
import { SEARCH_ATTRIBUTES } from '../../platform/search-attributes';
import { stagesShown } from '../support/stages-shown';
import { openTransferStage, type Transfer, type TransferStage } from '../support/transfer-life';
import { waitUntil } from '../support/wait-until';

let stage: TransferStage;
beforeAll(async () => {
  stage = await openTransferStage();
}, 120_000);
afterAll(() => stage?.close());

const DAYS_3_MS = 3 * 24 * 3_600_000;
const GROUPS = [{ name: 'Finance', quorum: 2, have: 1 }];
const HELD: Judgement = { outcome: 'Held', approvalId: 'ap-1', groups: GROUPS, rejectsItselfAfterMs: DAYS_3_MS };
const HELD_FOR_EVER: Judgement = { outcome: 'Held', approvalId: 'ap-1', groups: GROUPS };

/** Returns each of these answers in turn, and then the last answer for ever. */
function inTurn<T>(...answers: readonly (T | Error)[]): () => Promise<T> {
  let next = 0;
  return async () => {
    const answer = answers[Math.min(next++, answers.length - 1)];
    if (answer instanceof Error) throw answer;
    return answer as T;
  };
}

const called = (calls: readonly string[], name: string) => waitUntil(name, () => calls.includes(name));

test('a transfer is judged, prepared, signed and sent, and ends when the chain has confirmed it', async () => {
  await stage.play('confirmed', {}, async (transfer, calls) => {
    await called(calls, 'broadcastTransfer');
    await transfer.signal('settled', 'Confirmed');
    expect(await transfer.result()).toBe('Confirmed');
    expect(calls).toEqual(['evaluateTransfer', 'prepareTransfer', 'signTransfer', 'broadcastTransfer']);
  });
});

test('a transfer that the preparation step has already broadcast only waits for the chain', async () => {
  await stage.play('sent-at-once', { prepareTransfer: inTurn<Preparation>('Waiting', 'Sent') }, async (transfer, calls) => {
    await called(calls, 'prepareTransfer');
    await transfer.signal('laneChanged');
    await waitUntil('the second attempt', () => calls.filter((name) => name === 'prepareTransfer').length === 2);
    await transfer.signal('settled', 'Confirmed');
    expect(await transfer.result()).toBe('Confirmed');
    expect(calls).toEqual(['evaluateTransfer', 'prepareTransfer', 'prepareTransfer']);
  });
});

/** The names of the activities that went through a queue. The server counts each attempt of these activities. */
async function queued(transfer: Transfer): Promise<readonly string[]> {
  const { events } = await transfer.fetchHistory();
  return (events ?? []).flatMap(({ activityTaskScheduledEventAttributes: of }) => of?.activityType?.name ?? []);
}

test('a transfer is judged by a local activity, and through the queue if the local activity fails', async () => {
  const rest = ['prepareTransfer', 'signTransfer', 'broadcastTransfer'];
  await stage.play('judged-here', {}, async (transfer, calls) => {
    await called(calls, 'broadcastTransfer');
    await transfer.signal('settled', 'Confirmed');
    expect(await transfer.result()).toBe('Confirmed');
    expect(await queued(transfer)).toEqual(rest);
  });
  const failing = { evaluateTransfer: inTurn<Judgement>(new Error('no connection'), { outcome: 'Cleared' }) };
  await stage.play('judged-by-queue', failing, async (transfer, calls) => {
    await called(calls, 'broadcastTransfer');
    await transfer.signal('settled', 'Confirmed');
    expect(await transfer.result()).toBe('Confirmed');
    expect(await queued(transfer)).toEqual(['evaluateTransfer', ...rest]);
  });
});

test('a transfer that began before local judgements existed is judged only through the queue', async () => {
  const story: Parameters<typeof stage.play>[2] = async (transfer, calls) => {
    await called(calls, 'broadcastTransfer');
    await transfer.signal('settled', 'Confirmed');
    expect(await transfer.result()).toBe('Confirmed');
    expect((await queued(transfer))[0]).toBe('evaluateTransfer');
  };
  await stage.play('began-before', {}, story, { judged: '' });
});

test('a transfer that the chain reverted ends as Failed', async () => {
  await stage.play('reverted', {}, async (transfer, calls) => {
    await called(calls, 'broadcastTransfer');
    await transfer.signal('settled', 'Failed');
    expect(await transfer.result()).toBe('Failed');
  });
});

test('a blocked transfer ends at once, before anything is claimed or signed', async () => {
  await stage.play(
    'blocked',
    { evaluateTransfer: async () => ({ outcome: 'Ended', state: 'Rejected' }) },
    async (transfer, calls) => {
      expect(await transfer.result()).toBe('Rejected');
      expect(calls).toEqual(['evaluateTransfer']);
    },
  );
});

test('an approved transfer is judged once more at its release and then continues', async () => {
  const replaced = { evaluateTransfer: inTurn<Judgement>(HELD, { outcome: 'Cleared' }) };
  await stage.play('approved', replaced, async (transfer, calls) => {
    await called(calls, 'evaluateTransfer');
    await transfer.signal('approvalChanged');
    await called(calls, 'broadcastTransfer');
    await transfer.signal('settled', 'Confirmed');
    expect(await transfer.result()).toBe('Confirmed');
    expect(calls.slice(0, 4)).toEqual(['evaluateTransfer', 'readHold', 'evaluateTransfer', 'prepareTransfer']);
  });
});

test('a vote that leaves the quorum open keeps the transfer waiting; the next vote releases the transfer', async () => {
  const replaced = {
    evaluateTransfer: inTurn<Judgement>(HELD_FOR_EVER, { outcome: 'Cleared' }),
    readHold: inTurn({ status: 'Pending' as const, groups: GROUPS }, { status: 'Approved' as const, groups: [] }),
  };
  await stage.play('two-votes', replaced, async (transfer, calls) => {
    await called(calls, 'evaluateTransfer');
    await transfer.signal('approvalChanged');
    await called(calls, 'readHold');
    await transfer.signal('approvalChanged');
    await called(calls, 'broadcastTransfer');
    await transfer.signal('settled', 'Confirmed');
    expect(await transfer.result()).toBe('Confirmed');
    expect(calls.filter((name) => name === 'readHold')).toHaveLength(2);
  });
});

test('a vote that is accepted before the judgement returns is not missed', async () => {
  let answer = () => {};
  const voted = new Promise<void>((resolve) => {
    answer = resolve;
  });
  const first = inTurn<Judgement>(HELD_FOR_EVER, { outcome: 'Cleared' });
  const evaluateTransfer = async () => {
    await voted;
    return first();
  };
  await stage.play('vote-before-answer', { evaluateTransfer, readSettled: async () => 'Confirmed' }, async (transfer, calls) => {
    await called(calls, 'evaluateTransfer');
    await transfer.signal('approvalChanged');
    answer();
    expect(await transfer.result()).toBe('Confirmed');
    expect(calls[1]).toBe('readHold');
  });
});

test('a request to cancel the workflow does not stop a transfer: people still decide, and signed bytes are still broadcast', async () => {
  const replaced = { evaluateTransfer: inTurn<Judgement>(HELD_FOR_EVER, { outcome: 'Cleared' }) };
  await stage.play('cancel-requested', replaced, async (transfer, calls) => {
    await called(calls, 'evaluateTransfer');
    await transfer.cancel();
    await transfer.signal('approvalChanged');
    await called(calls, 'broadcastTransfer');
    await transfer.signal('settled', 'Confirmed');
    expect(await transfer.result()).toBe('Confirmed');
  });
});

test('the search shows the stage while a transfer waits for people, a freeze or a confirmation, and no stage afterwards', async () => {
  const waits = inTurn<Judgement>(
    HELD_FOR_EVER,
    { outcome: 'Frozen', freezeId: 'frz-1' },
    { outcome: 'Equal', equalToId: 'xfr-1', failsAfterMs: DAYS_3_MS },
    { outcome: 'Ended', state: 'Rejected' },
  );
  await stage.play('stages', { evaluateTransfer: waits }, async (transfer, calls) => {
    const judged = (times: number) =>
      waitUntil('a judgement', () => calls.filter((name) => name === 'evaluateTransfer').length === times);
    const shown = (count: number) => waitUntil('a stage', async () => (await stagesShown(transfer)).length === count);
    await judged(1);
    await shown(1);
    const { typedSearchAttributes } = await transfer.describe();
    expect(typedSearchAttributes.get(SEARCH_ATTRIBUTES.stage)).toBe('Approval');
    await transfer.signal('approvalChanged');
    await judged(2);
    await shown(3);
    await transfer.signal('freezeChanged');
    await judged(3);
    await shown(5);
    await transfer.signal('approvalChanged');
    expect(await transfer.result()).toBe('Rejected');
    expect(await stagesShown(transfer)).toEqual(['Approval', '', 'Frozen', '', 'EqualPayment', '']);
    expect((await transfer.describe()).typedSearchAttributes.get(SEARCH_ATTRIBUTES.stage)).toBeUndefined();
  });
});

test('a transfer that does not wait shows no stage', async () => {
  await stage.play('no-stage', { evaluateTransfer: async () => ({ outcome: 'Ended', state: 'Rejected' }) }, async (transfer) => {
    expect(await transfer.result()).toBe('Rejected');
    expect(await stagesShown(transfer)).toEqual([]);
  });
});

test('a denied transfer is Rejected and nothing is signed', async () => {
  const replaced = {
    evaluateTransfer: async () => HELD,
    readHold: async () => ({ status: 'Denied' as const, groups: GROUPS }),
  };
  await stage.play('denied', replaced, async (transfer, calls) => {
    await called(calls, 'evaluateTransfer');
    await transfer.signal('approvalChanged');
    expect(await transfer.result()).toBe('Rejected');
    expect(calls).not.toContain('prepareTransfer');
  });
});

test('a held transfer that no approver decides is rejected after three days and not before', async () => {
  await stage.play('expired', { evaluateTransfer: async () => HELD }, async (transfer, calls) => {
    await called(calls, 'evaluateTransfer');
    expect(await transfer.result()).toBe('Rejected');
    const { startTime, closeTime } = await transfer.describe();
    const passedMs = (closeTime?.getTime() ?? 0) - startTime.getTime();
    expect(calls).toEqual(['evaluateTransfer', 'expireHold']);
    expect(passedMs).toBeGreaterThanOrEqual(DAYS_3_MS - 60_000);
    expect(passedMs).toBeLessThan(DAYS_3_MS + 60_000);
  });
});

test('a vote that was accepted just before the expiry prevails', async () => {
  const replaced = {
    evaluateTransfer: inTurn<Judgement>(HELD, { outcome: 'Cleared' }),
    expireHold: async () => ({ status: 'Approved' as const, groups: [] }),
    readSettled: async () => 'Confirmed' as const,
  };
  await stage.play('vote-beats-expiry', replaced, async (transfer, calls) => {
    expect(await transfer.result()).toBe('Confirmed');
    expect(calls.slice(0, 3)).toEqual(['evaluateTransfer', 'expireHold', 'evaluateTransfer']);
  });
});

test('a stricter verdict at release holds the transfer again', async () => {
  const replaced = {
    evaluateTransfer: inTurn<Judgement>(HELD_FOR_EVER, { ...HELD_FOR_EVER, approvalId: 'ap-2' }, { outcome: 'Cleared' }),
  };
  await stage.play('held-twice', replaced, async (transfer, calls) => {
    await called(calls, 'evaluateTransfer');
    await transfer.signal('approvalChanged');
    await waitUntil('the second judgement', () => calls.filter((name) => name === 'evaluateTransfer').length === 2);
    expect(calls).not.toContain('prepareTransfer');
    await transfer.signal('approvalChanged');
    await called(calls, 'broadcastTransfer');
    await transfer.signal('settled', 'Confirmed');
    expect(await transfer.result()).toBe('Confirmed');
  });
});

test('a policy that changed before the claim sends the transfer back to be judged', async () => {
  const replaced = {
    prepareTransfer: inTurn<Preparation>('PolicyChanged', 'Ready'),
    readSettled: async () => 'Confirmed' as const,
  };
  await stage.play('policy-changed', replaced, async (transfer, calls) => {
    expect(await transfer.result()).toBe('Confirmed');
    expect(calls.slice(0, 4)).toEqual(['evaluateTransfer', 'prepareTransfer', 'evaluateTransfer', 'prepareTransfer']);
  });
});

test('after a policy change while the signer is unavailable, a transfer is judged but not prepared again, and may be rejected', async () => {
  const stopped = { signTransfer: inTurn<'PolicyChanged' | 'Rejected'>('PolicyChanged', 'Rejected') };
  await stage.play('stopped-at-the-signer', stopped, async (transfer, calls) => {
    expect(await transfer.result()).toBe('Rejected');
    expect(calls).toEqual(['evaluateTransfer', 'prepareTransfer', 'signTransfer', 'evaluateTransfer', 'signTransfer']);
  });
  const passed = { signTransfer: inTurn<'PolicyChanged' | 'Signed'>('PolicyChanged', 'Signed') };
  await stage.play('passed-at-the-signer', passed, async (transfer, calls) => {
    await called(calls, 'broadcastTransfer');
    await transfer.signal('settled', 'Confirmed');
    expect(await transfer.result()).toBe('Confirmed');
  });
});

test('a failing judgement does not end a transfer that may already be signed', async () => {
  const broken = ApplicationFailure.nonRetryable('no such row');
  const replaced = {
    evaluateTransfer: inTurn<Judgement>({ outcome: 'Cleared' }, broken, broken, { outcome: 'Cleared' }),
    signTransfer: inTurn<'PolicyChanged' | 'Signed'>('PolicyChanged', 'Signed'),
    readSettled: async () => 'Confirmed' as const,
  };
  await stage.play('judged-in-vain', replaced, async (transfer, calls) => {
    expect(await transfer.result()).toBe('Confirmed');
    expect(calls).not.toContain('failTransfer');
  });
});

test('a transfer without a place in its lane (the queue of its sender) waits and is woken when a place is free', async () => {
  const replaced = { prepareTransfer: inTurn<Preparation>('Waiting', 'Ready'), readSettled: async () => 'Confirmed' as const };
  await stage.play('lane-full', replaced, async (transfer, calls) => {
    await called(calls, 'prepareTransfer');
    await transfer.signal('laneChanged');
    expect(await transfer.result()).toBe('Confirmed');
  });
});

test('a transfer waits without a claim until the fees are below the approved ceiling', async () => {
  const replaced = {
    prepareTransfer: inTurn<Preparation>('FeeAboveCeiling', 'FeeAboveCeiling', 'Ready'),
    readSettled: async () => 'Confirmed' as const,
  };
  await stage.play('fee-above-ceiling', replaced, async (transfer, calls) => {
    expect(await transfer.result()).toBe('Confirmed');
    expect(calls.filter((name) => name === 'prepareTransfer')).toHaveLength(3);
  });
});

test('a network that is down for minutes delays preparation and sending, and the transfer is signed once', async () => {
  const down = ApplicationFailure.retryable('no node answers', 'NetworkUnavailable');
  const replaced = {
    prepareTransfer: inTurn<Preparation>(down, down, down, 'Ready'),
    broadcastTransfer: inTurn<undefined>(down, down, down, down, undefined),
    readSettled: async () => 'Confirmed' as const,
  };
  await stage.play('network-down', replaced, async (transfer, calls) => {
    expect(await transfer.result()).toBe('Confirmed');
    expect(calls.filter((name) => name === 'signTransfer')).toHaveLength(1);
  });
});

test('an order that the signer refuses ends the transfer and nothing is sent', async () => {
  await stage.play('signer-refuses', { signTransfer: async () => 'Refused' }, async (transfer, calls) => {
    expect(await transfer.result()).toBe('Failed');
    expect(calls).not.toContain('broadcastTransfer');
  });
});

test('a preparation that can never succeed ends the transfer', async () => {
  await stage.play('cannot-be-prepared', { prepareTransfer: async () => 'Failed' }, async (transfer, calls) => {
    expect(await transfer.result()).toBe('Failed');
    expect(calls).not.toContain('signTransfer');
  });
});

test.each(['evaluateTransfer', 'prepareTransfer'] as const)(
  'a permanent error of %s fails the transfer, and nothing is signed',
  async (name) => {
    const broken = ApplicationFailure.nonRetryable('broken', 'EnvelopeMismatch');
    await stage.play(
      `broken-${name === 'evaluateTransfer' ? 'judgement' : 'preparation'}`,
      { [name]: inTurn(broken) },
      async (transfer, calls) => {
        expect(await transfer.result()).toBe('Failed');
        expect(calls).toContain('failTransfer');
        expect(calls).not.toContain('signTransfer');
      },
    );
  },
);

test.each(['signTransfer', 'broadcastTransfer'] as const)(
  'after a permanent error of %s, the step is repeated: once signing has begun, only the chain may end a transfer',
  async (name) => {
    const broken = ApplicationFailure.nonRetryable('broken', 'Internal');
    const answers =
      name === 'signTransfer' ? inTurn<'Signed' | undefined>(broken, 'Signed') : inTurn<undefined>(broken, undefined);
    await stage.play(
      `stopped-${name === 'signTransfer' ? 'signing' : 'sending'}`,
      { [name]: answers, readSettled: async () => 'Confirmed' },
      async (transfer, calls) => {
        expect(await transfer.result()).toBe('Confirmed');
        expect(calls).not.toContain('failTransfer');
        expect(calls.filter((called) => called === name)).toHaveLength(2);
      },
    );
  },
);

test('a lost signal about the chain delays the end by an hour at most', async () => {
  await stage.play('lost-signal', { readSettled: inTurn(undefined, 'Confirmed' as const) }, async (transfer) => {
    expect(await transfer.result()).toBe('Confirmed');
  });
});

test('a transfer that is started again after it was prepared is neither judged nor prepared again', async () => {
  await stage.play(
    'started-again',
    {},
    async (transfer, calls) => {
      await called(calls, 'broadcastTransfer');
      await transfer.signal('settled', 'Confirmed');
      expect(await transfer.result()).toBe('Confirmed');
      expect(calls).toEqual(['signTransfer', 'broadcastTransfer']);
    },
    { prepared: 'true' },
  );
});
