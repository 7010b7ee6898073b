import type { Frozen } from '../../domain/freezes';
import type { Judgement } from '../../domain/judgements';
import type { Preparation } from '../../domain/transfer-steps';
import { inTurn } from '../support/in-turn';
import { openTransferStage, type TransferStage } from '../support/transfer-life';
import { waitUntil } from '../support/wait-until';

let stage: TransferStage;
beforeAll(async () => {
  stage = await openTransferStage();
}, 120_000);
afterAll(() => stage?.close());

const HELD_FOR_EVER: Judgement = { outcome: 'Held', approvalId: 'ap-1', groups: [{ name: 'Finance', quorum: 2, have: 1 }] };

const called = (calls: readonly string[], name: string) => waitUntil(name, () => calls.includes(name));

const FROZEN: Judgement = { outcome: 'Frozen', freezeId: 'frz-1' };
const FROZEN_STEP = { frozenBy: 'frz-1' };

test('a frozen transfer waits for the release and is then judged again', async () => {
  const replaced = {
    evaluateTransfer: inTurn<Judgement>(FROZEN, { outcome: 'Cleared' }),
    readSettled: async () => 'Confirmed' as const,
  };
  await stage.play('frozen-released', replaced, async (transfer, calls) => {
    await called(calls, 'evaluateTransfer');
    expect(calls).toEqual(['evaluateTransfer']);
    await transfer.signal('freezeChanged');
    expect(await transfer.result()).toBe('Confirmed');
    expect(calls.slice(0, 3)).toEqual(['evaluateTransfer', 'evaluateTransfer', 'prepareTransfer']);
  });
});

test('a transfer that is frozen while people decide is held by the freeze after their approval', async () => {
  const replaced = {
    evaluateTransfer: inTurn<Judgement>(HELD_FOR_EVER, FROZEN, { outcome: 'Cleared' }),
    readSettled: async () => 'Confirmed' as const,
  };
  await stage.play('frozen-after-approval', replaced, async (transfer, calls) => {
    await called(calls, 'evaluateTransfer');
    await transfer.signal('approvalChanged');
    await waitUntil('the judgement at release', () => calls.filter((name) => name === 'evaluateTransfer').length === 2);
    expect(calls).not.toContain('prepareTransfer');
    await transfer.signal('freezeChanged');
    expect(await transfer.result()).toBe('Confirmed');
  });
});

test('a transfer that is frozen between approval and signing goes back to be judged and waits there', async () => {
  const replaced = {
    evaluateTransfer: inTurn<Judgement>({ outcome: 'Cleared' }, FROZEN, { outcome: 'Cleared' }),
    prepareTransfer: inTurn<Preparation>('PolicyChanged', 'Ready'),
    readSettled: async () => 'Confirmed' as const,
  };
  await stage.play('frozen-before-signing', replaced, async (transfer, calls) => {
    await waitUntil('the second judgement', () => calls.filter((name) => name === 'evaluateTransfer').length === 2);
    expect(calls).not.toContain('signTransfer');
    await transfer.signal('freezeChanged');
    expect(await transfer.result()).toBe('Confirmed');
  });
});

test.each(['signTransfer', 'broadcastTransfer'] as const)(
  '%s waits an hour if the signal of the release is lost, and the transfer does not end',
  async (name) => {
    const done = name === 'signTransfer' ? ('Signed' as const) : undefined;
    const replaced = {
      [name]: inTurn<Frozen | 'Signed' | undefined>(FROZEN_STEP, FROZEN_STEP, done),
      readSettled: async () => 'Confirmed' as const,
    };
    const title = name === 'signTransfer' ? 'frozen-while-signing' : 'frozen-while-sending';
    await stage.play(title, replaced, async (transfer, calls) => {
      await called(calls, name);
      await transfer.signal('freezeChanged');
      expect(await transfer.result()).toBe('Confirmed');
      expect(calls.filter((one) => one === name)).toHaveLength(3);
      expect(calls).not.toContain('failTransfer');
    });
  },
);
