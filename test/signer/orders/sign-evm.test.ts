import { secp256k1 } from '@noble/curves/secp256k1.js';
import { openDek, openKey, sealKey } from '../../../signer/keys/envelope';
import type { CreatedKey } from '../../../signer/protocol';
import { codec, keyOrder, NOW_MS, openOperations, orderFor, refusedAs, temporaryFolder } from '../fixtures';

const folder = temporaryFolder();
let operations: Awaited<ReturnType<typeof openOperations>>;
let created: CreatedKey;
let nowMs = NOW_MS;
/** Each test uses its own nonce, because the signer signs a nonce only once. */
let nonce = 100;

beforeAll(async () => {
  operations = await openOperations(folder.path, () => nowMs);
  created = await operations.createKey(keyOrder('key-1'));
});
beforeEach(() => {
  nonce += 1;
  nowMs = NOW_MS;
});
afterAll(async () => {
  await operations.close();
  folder.remove();
});

test('the unchanged bytes with the signature are a transaction from which the sender is recovered', async () => {
  const order = orderFor(created, 'xfr-a', { nonce });
  const { signature, digestHex } = await operations.signTransfer(order);
  const unsigned = { bytesHex: order.bytesHex, digestHex, nonce, maxFeeUnits: 0n };
  expect(codec.attach(unsigned, signature, order.intent.from).txHash).toMatch(/^0x[0-9a-f]{64}$/);
});

test('the same order again gives the same signature and no second line in the log', async () => {
  const order = orderFor(created, 'xfr-b', { nonce });
  const first = await operations.signTransfer(order);
  const lines = operations.log.size;
  nowMs += 30_000;
  expect(await operations.signTransfer({ ...order, issuedAt: new Date(nowMs).toISOString() })).toEqual(first);
  expect(operations.log.size).toBe(lines);
});

test('fifty simultaneous calls with one order give one signature', async () => {
  const lines = operations.log.size;
  const order = orderFor(created, 'xfr-c', { nonce });
  const answers = await Promise.all(Array.from({ length: 50 }, () => operations.signTransfer(order)));
  expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
  expect(operations.log.size).toBe(lines + 1);
});

test('nonces are deterministic: another log gives the same signature for the same bytes', async () => {
  const elsewhere = temporaryFolder();
  const other = await openOperations(elsewhere.path);
  const order = orderFor(created, 'xfr-d', { nonce });
  expect(await other.signTransfer(order)).toEqual(await operations.signTransfer(order));
  await other.close();
  elsewhere.remove();
});

test('one request never gets a second payload', async () => {
  await operations.signTransfer(orderFor(created, 'xfr-e', { nonce }));
  nonce += 1;
  await expect(operations.signTransfer(orderFor(created, 'xfr-e', { nonce }))).rejects.toThrow(refusedAs('RequestIdReused'));
});

test('one intent never gets a second payload, even under a new request id', async () => {
  const intentId = 'invoice 4711';
  await operations.signTransfer({ ...orderFor(created, 'xfr-f', { nonce }), intentId });
  nonce += 1;
  const again = { ...orderFor(created, 'xfr-g', { nonce }), intentId };
  await expect(operations.signTransfer(again)).rejects.toThrow(refusedAs('IntentSignedAlready'));
});

test('the same intent id from another organisation is a different intent', async () => {
  const foreign = await operations.createKey(keyOrder('key-foreign', 'or-other'));
  await operations.signTransfer({ ...orderFor(created, 'xfr-h', { nonce }), intentId: 'same' });
  await expect(operations.signTransfer({ ...orderFor(foreign, 'xfr-i', { nonce }), intentId: 'same' })).resolves.toBeDefined();
});

test('one nonce of one sender is never signed for two payloads, not even simultaneous ones', async () => {
  const orders = [1n, 2n, 3n].map((amountUnits) => orderFor(created, `xfr-j-${amountUnits}`, { nonce, intent: { amountUnits } }));
  const outcomes = await Promise.allSettled(orders.map((order) => operations.signTransfer(order)));
  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  for (const outcome of outcomes) {
    if (outcome.status === 'rejected') expect(outcome.reason).toEqual(refusedAs('NonceSignedAlready'));
  }
});

test('the same payment under two requests and nonces is two payments', async () => {
  const first = await operations.signTransfer(orderFor(created, 'xfr-k', { nonce }));
  nonce += 1;
  expect(await operations.signTransfer(orderFor(created, 'xfr-l', { nonce }))).not.toEqual(first);
});

test('a second request for the same bytes gets the first signature and is bound to it', async () => {
  const order = orderFor(created, 'xfr-m', { nonce });
  const first = await operations.signTransfer(order);
  expect(await operations.signTransfer({ ...order, requestId: 'xfr-n' })).toEqual(first);
  nonce += 1;
  await expect(operations.signTransfer(orderFor(created, 'xfr-n', { nonce }))).rejects.toThrow(refusedAs('RequestIdReused'));
});

test('a refused order leaves no entry in the log, and the corrected order is signed', async () => {
  const lines = operations.log.size;
  const order = orderFor(created, 'xfr-o', { nonce });
  const wrong = { ...order, intent: { ...order.intent, amountUnits: '999' } };
  await expect(operations.signTransfer(wrong)).rejects.toThrow(refusedAs('AmountMismatch'));
  expect(operations.log.size).toBe(lines);
  await expect(operations.signTransfer(order)).resolves.toBeDefined();
});

test.each<[string, (sealed: CreatedKey) => Partial<CreatedKey>]>([
  [
    'ciphertext',
    ({ sealed }) => ({
      sealed: {
        ...sealed,
        ciphertextHex: `${sealed.ciphertextHex.slice(0, -1)}${sealed.ciphertextHex.endsWith('0') ? '1' : '0'}`,
      },
    }),
  ],
  ['commitment of the data key', ({ dek }) => ({ dek: { ...dek, commitHex: '0'.repeat(64) } })],
  ['root key of the data key', ({ dek }) => ({ dek: { ...dek, kekId: 'kek-other' } })],
])('an altered %s is refused, and the refusal does not reveal which part is wrong', async (_what, alter) => {
  const order = orderFor({ ...created, ...alter(created) }, 'xfr-p', { nonce });
  await expect(operations.signTransfer(order)).rejects.toThrow(refusedAs('EnvelopeRejected'));
});

test('an order whose public key was replaced by an attacker’s key does not open the sealed key', async () => {
  const publicKeyHex = Buffer.from(secp256k1.getPublicKey(Buffer.alloc(32, 5), true)).toString('hex');
  const swapped = { ...created, publicKeyHex, sealed: { ...created.sealed, publicKeyHex } };
  await expect(operations.signTransfer(orderFor(swapped, 'xfr-q', { nonce }))).rejects.toThrow(refusedAs('EnvelopeRejected'));
});

test('a secret that does not belong to its public key does not sign', async () => {
  const dek = await openDek(operations.kek, created.dek, created.dek.orgId);
  const { ciphertextHex: _sealed, ...place } = created.sealed;
  const sealed = sealKey(dek, place, Buffer.alloc(32, 5));
  expect(openKey(dek, sealed, created.sealed)).toHaveLength(32);
  const lines = operations.log.size;
  await expect(operations.signTransfer(orderFor({ ...created, sealed }, 'xfr-r', { nonce }))).rejects.toThrow('does not verify');
  expect(operations.log.size).toBe(lines);
});

test('if an order is refused although its request was signed before, the refusal states that a signature exists', async () => {
  const order = orderFor(created, 'xfr-s', { nonce });
  const wrong = { ...order, intent: { ...order.intent, amountUnits: '999' } };
  await expect(operations.signTransfer(wrong)).rejects.toMatchObject({ reason: 'AmountMismatch', signedBefore: false });
  await operations.signTransfer(order);
  await expect(operations.signTransfer(wrong)).rejects.toMatchObject({ reason: 'AmountMismatch', signedBefore: true });
});
