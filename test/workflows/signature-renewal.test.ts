import { ApplicationFailure } from '@temporalio/client';
import { openSignatureStage, type SignatureStage } from '../support/signature-life';

let stage: SignatureStage;
beforeAll(async () => {
  stage = await openSignatureStage();
}, 120_000);
afterAll(() => stage?.close());

/** The number of looks during one wait. Each look takes more than ten events, and a run is renewed at 2,000 events. */
const LOOKS = 210;
const EVENTS_MAX = 2_500;

test('a request that cannot be signed for a day continues in new runs, and is signed once', async () => {
  let looks = 0;
  const signPayload = async (): Promise<'Signed'> => {
    looks += 1;
    if (looks <= LOOKS) throw ApplicationFailure.nonRetryable('the rows of the key are damaged', 'Internal');
    return 'Signed';
  };
  const replaced = { signPayload, failSignature: async () => 'Signing' as const };
  await stage.play('renewed-while-signing', replaced, async (signature, calls) => {
    expect(await signature.result()).toBe('Signed');
    expect((await signature.describe()).historyLength).toBeLessThan(EVENTS_MAX);
    expect(calls.filter((name) => name === 'evaluateSignature').length).toBeGreaterThan(1);
  });
}, 120_000);
