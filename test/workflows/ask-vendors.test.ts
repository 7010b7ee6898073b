import { ApplicationFailure } from '@temporalio/client';
import type { Ask, Judgement } from '../../domain/judgements';
import { openScreeningStage } from '../support/screening-stage';

let stage: Awaited<ReturnType<typeof openScreeningStage>>;
beforeAll(async () => {
  stage = await openScreeningStage();
}, 120_000);
afterAll(() => stage?.close());

type Ended = { readonly screeningId: string; readonly failure: string };
type Screening = Exclude<Ask, { vendor: 'TravelRule' }>;

const KYT_A: Screening = { vendor: 'KytA', screeningId: 'scr-a' };
const KYT_B: Screening = { vendor: 'KytB', screeningId: 'scr-b' };
const failing =
  (failure: string, retryable = true) =>
  async () => {
    throw ApplicationFailure.create({ type: 'VendorFailed', details: [failure], nonRetryable: !retryable });
  };

/**
 * A record that asks vendors and is judged again after these screenings. `ended` lists the screenings that ended without an
 * answer.
 */
function asking(...asks: readonly Screening[]) {
  const ended: Ended[] = [];
  let judgements = 0;
  const judge = async () => {
    judgements += 1;
    return judgements;
  };
  return {
    ended,
    judgements: () => judgements,
    judgeIncoming: async () =>
      (await judge()) === 1 ? ({ outcome: 'Asking', asks } as const) : ({ outcome: 'Judged' } as const),
    judgeOther: async (): Promise<Judgement> =>
      (await judge()) === 1 ? { outcome: 'Asking', asks } : { outcome: 'Ended', state: 'Rejected' },
    failScreening: async ({ screeningId, failure }: Ended) => void ended.push({ screeningId, failure }),
  };
}

test('an incoming payment is judged again when the vendor has answered', async () => {
  const { judgeIncoming, failScreening, ended, judgements } = asking(KYT_A);
  const asked: unknown[] = [];
  const screen = async (ref: unknown) => void asked.push(ref);
  const main = { judgeIncoming, failScreening };
  expect(await stage.play('incomingTransaction', 'screened', { main, vendors: { KytA: screen } })).toMatchObject({
    result: 'Judged',
  });
  expect([asked, ended, judgements()]).toEqual([[{ orgId: stage.orgId, screeningId: 'scr-a' }], [], 2]);
});

test.each(['transfer', 'signature'] as const)('a %s asks its vendors at the same time and is judged again', async (workflow) => {
  const { judgeOther, failScreening, ended, judgements } = asking(KYT_A, KYT_B);
  let both = 0;
  let meet: () => void = () => undefined;
  const met = new Promise<void>((resolve) => {
    meet = resolve;
  });
  // No vendor answers before both vendors are asked.
  const screen = async () => {
    both += 1;
    if (both === 2) meet();
    await met;
  };
  const main = { evaluateTransfer: judgeOther, evaluateSignature: judgeOther, failScreening };
  const { result } = await stage.play(workflow, 'screened', { main, vendors: { KytA: screen, KytB: screen } });
  expect([result, ended, judgements()]).toEqual(['Rejected', [], 2]);
});

test('a failing vendor is asked again for at most a minute, and its last failure ends the screening', async () => {
  const { judgeIncoming, failScreening, ended } = asking(KYT_B);
  let tries = 0;
  const screen = async () => {
    tries += 1;
    await failing('RateLimited')();
  };
  const main = { judgeIncoming, failScreening };
  const { seconds } = await stage.play('incomingTransaction', 'vendor-fails', { main, vendors: { KytB: screen } });
  expect(ended).toEqual([{ screeningId: 'scr-b', failure: 'RateLimited' }]);
  expect(tries).toBeGreaterThanOrEqual(4);
  expect(seconds).toBeLessThanOrEqual(61);
});

test('the wait for a vendor that never finishes ends after a minute', async () => {
  const { judgeOther, failScreening, ended, judgements } = asking(KYT_A);
  const main = { evaluateTransfer: judgeOther, failScreening };
  const screen = async () => {
    throw ApplicationFailure.create({ type: 'VendorPending', details: ['TimedOut'], nextRetryDelay: 2_000 });
  };
  const { result, seconds } = await stage.play('transfer', 'never-finishes', { main, vendors: { KytA: screen } });
  expect([result, ended, judgements()]).toEqual(['Rejected', [{ screeningId: 'scr-a', failure: 'TimedOut' }], 2]);
  expect(seconds).toBeLessThanOrEqual(61);
});

test('a failing vendor does not affect the answer of the other vendor', async () => {
  const { judgeOther, failScreening, ended, judgements } = asking(KYT_A, KYT_B);
  const main = { evaluateSignature: judgeOther, failScreening };
  const vendors = { KytA: async () => undefined, KytB: failing('Refused', false) };
  await stage.play('signature', 'one-vendor-fails', { main, vendors });
  expect([ended, judgements()]).toEqual([[{ screeningId: 'scr-b', failure: 'Refused' }], 2]);
});
