import { inTurn } from '../support/in-turn';
import { openSignatureStage, type SignatureStage } from '../support/signature-life';
import { stagesShown } from '../support/stages-shown';
import { waitUntil } from '../support/wait-until';

let signatures: SignatureStage;
beforeAll(async () => {
  signatures = await openSignatureStage();
}, 120_000);
afterAll(() => signatures?.close());

const times = (calls: readonly string[], name: string) => calls.filter((one) => one === name).length;

test('a signature request waits for the device in the same way, for weeks and over restarts', async () => {
  const signed = inTurn<'Offline' | 'Signed'>('Offline', 'Signed');
  await signatures.play('offline-signed', { signPayload: signed }, async (signature, calls) => {
    await waitUntil('the first attempt', () => times(calls, 'signPayload') === 1);
    await signature.signal('offlineChanged');
    expect(await signature.result()).toBe('Signed');
    expect(calls).toEqual(['evaluateSignature', 'signPayload', 'signPayload']);
    expect(await stagesShown(signature)).toEqual(['OfflineSigning', '']);
  });
  let left = 14 * 24;
  const late = async () => (left-- > 0 ? ('Offline' as const) : ('Signed' as const));
  await signatures.play('offline-renewed', { signPayload: late }, async (signature) => {
    expect(await signature.result()).toBe('Signed');
    expect((await signature.describe()).historyLength).toBeLessThan(2_500);
  });
}, 180_000);

test.each([
  ['Failed', 'offline-failed'],
  ['Rejected', 'offline-rejected'],
] as const)('a signature request that may not be signed any more ends as %s', async (end, title) => {
  const signPayload = inTurn<'Offline' | 'Failed' | 'Rejected'>('Offline', end);
  await signatures.play(title, { signPayload }, async (signature, calls) => {
    await waitUntil('the first attempt', () => times(calls, 'signPayload') === 1);
    await signature.signal('freezeChanged');
    expect(await signature.result()).toBe(end);
  });
});
