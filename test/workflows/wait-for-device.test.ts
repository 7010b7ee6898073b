import { AppError } from '../../domain/errors';
import type { Frozen } from '../../domain/freezes';
import { inTurn } from '../support/in-turn';
import { stagesShown } from '../support/stages-shown';
import { openTransferStage, type TransferStage } from '../support/transfer-life';
import { waitUntil } from '../support/wait-until';

let transfers: TransferStage;
beforeAll(async () => {
  transfers = await openTransferStage();
}, 120_000);
afterAll(() => transfers?.close());

const DAY_MS = 24 * 3_600_000;
const times = (calls: readonly string[], name: string) => calls.filter((one) => one === name).length;
const confirmed = { readSettled: async () => 'Confirmed' as const };

test('a transfer at an offline store waits in its stage, and goes on when the device has signed', async () => {
  const signTransfer = inTurn<'Offline' | 'Signed'>('Offline', 'Signed');
  await transfers.play('offline-signed', { signTransfer }, async (transfer, calls) => {
    await waitUntil('the first attempt', () => times(calls, 'signTransfer') === 1);
    await transfer.signal('offlineChanged');
    await waitUntil('the transaction is sent', () => calls.includes('broadcastTransfer'));
    await transfer.signal('settled', 'Confirmed');
    expect(await transfer.result()).toBe('Confirmed');
    expect(calls).toEqual(['evaluateTransfer', 'prepareTransfer', 'signTransfer', 'signTransfer', 'broadcastTransfer']);
    expect(await stagesShown(transfer)).toEqual(['OfflineSigning', '']);
  });
});

test('signatures that arrive during the attempt are not missed', async () => {
  let arrive = () => {};
  const arrived = new Promise<void>((resolve) => {
    arrive = resolve;
  });
  let attempts = 0;
  const signTransfer = async () => {
    attempts += 1;
    if (attempts > 1) return 'Signed' as const;
    await arrived;
    return 'Offline' as const;
  };
  await transfers.play('offline-during-attempt', { signTransfer }, async (transfer, calls) => {
    await waitUntil('the first attempt', () => times(calls, 'signTransfer') === 1);
    await transfer.signal('offlineChanged');
    arrive();
    await waitUntil('the transaction is sent', () => calls.includes('broadcastTransfer'));
    await transfer.signal('settled', 'Confirmed');
    expect(await transfer.result()).toBe('Confirmed');
  });
});

/** A device that signs after this time, without any signal. */
function signedAfter(waitMs: number) {
  const { environment } = transfers;
  let begunMs: number | undefined;
  let attempts = 0;
  const signTransfer = async () => {
    attempts += 1;
    const nowMs = await environment.currentTimeMs();
    begunMs ??= nowMs;
    return nowMs - begunMs >= waitMs ? ('Signed' as const) : ('Offline' as const);
  };
  return { signTransfer, attempts: () => attempts };
}

test('a transfer waits for two weeks with one attempt a day, and a lost signal does not hold it', async () => {
  const { signTransfer, attempts } = signedAfter(14 * DAY_MS);
  await transfers.play('offline-two-weeks', { signTransfer, ...confirmed }, async (transfer, calls) => {
    expect(await transfer.result()).toBe('Confirmed');
    expect(attempts()).toBe(15);
    expect(times(calls, 'evaluateTransfer')).toBe(1);
    expect(times(calls, 'failTransfer')).toBe(0);
  });
}, 180_000);

test('a transfer waits for a year in several runs', async () => {
  const { signTransfer, attempts } = signedAfter(365 * DAY_MS);
  await transfers.play('offline-renewed', { signTransfer, ...confirmed }, async (transfer, calls) => {
    expect(await transfer.result()).toBe('Confirmed');
    expect(attempts()).toBe(366);
    expect((await transfer.describe()).historyLength).toBeLessThan(2_500);
    expect(times(calls, 'evaluateTransfer')).toBe(1);
  });
}, 180_000);

test('an abort, which wakes the transfer like a release, ends the wait', async () => {
  const signTransfer = inTurn<'Offline' | 'Refused'>('Offline', 'Refused');
  await transfers.play('offline-aborted', { signTransfer }, async (transfer, calls) => {
    await waitUntil('the first attempt', () => times(calls, 'signTransfer') === 1);
    await transfer.signal('freezeChanged');
    expect(await transfer.result()).toBe('Failed');
    const { events } = await transfer.fetchHistory();
    expect(events?.some(({ timerFiredEventAttributes }) => timerFiredEventAttributes)).toBe(false);
  });
});

test('a freeze that comes while the transfer waits holds the transfer until the release, and the wait goes on after it', async () => {
  const frozen: Frozen = { frozenBy: 'fz-1' };
  const signTransfer = inTurn<'Offline' | 'Signed' | Frozen>('Offline', frozen, 'Offline', 'Signed');
  await transfers.play('offline-frozen', { signTransfer }, async (transfer, calls) => {
    for (const [attempt, signal] of ['offlineChanged', 'freezeChanged', 'offlineChanged'].entries()) {
      await waitUntil(`attempt ${attempt + 1}`, () => times(calls, 'signTransfer') === attempt + 1);
      await transfer.signal(signal);
    }
    await waitUntil('the transaction is sent', () => calls.includes('broadcastTransfer'));
    await transfer.signal('settled', 'Confirmed');
    expect(await transfer.result()).toBe('Confirmed');
    expect(await stagesShown(transfer)).toEqual(['OfflineSigning', '', 'Frozen', '', 'OfflineSigning', '']);
  });
});

test('a policy that changes while the transfer waits has the transfer judged again, with its claims', async () => {
  const signTransfer = inTurn<'Offline' | 'PolicyChanged' | 'Rejected'>('Offline', 'PolicyChanged', 'Rejected');
  await transfers.play('offline-policy-changed', { signTransfer }, async (transfer, calls) => {
    await waitUntil('the first attempt', () => times(calls, 'signTransfer') === 1);
    await transfer.signal('offlineChanged');
    expect(await transfer.result()).toBe('Rejected');
    expect(calls).toEqual([
      'evaluateTransfer',
      'prepareTransfer',
      'signTransfer',
      'signTransfer',
      'evaluateTransfer',
      'signTransfer',
    ]);
  });
});

test('a signer that is away after the device has signed only delays the transfer', async () => {
  const away = new AppError('SignerUnavailable', 'no answer');
  const signTransfer = inTurn<'Offline' | 'Signed'>('Offline', away, 'Signed');
  await transfers.play('offline-signer-away', { signTransfer, ...confirmed }, async (transfer, calls) => {
    await waitUntil('the first attempt', () => times(calls, 'signTransfer') === 1);
    await transfer.signal('offlineChanged');
    expect(await transfer.result()).toBe('Confirmed');
    expect(times(calls, 'signTransfer')).toBe(3);
  });
});
