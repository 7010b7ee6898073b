import { secp256k1 } from '@noble/curves/secp256k1.js';
import { chunkBytes, countBytes } from '../../../../chains/utxo/decoder-bytes';
import { signatureOfInput } from '../../../../chains/utxo/scan/input-signatures';
import type { RawTransaction } from '../../../../chains/utxo/scan/raw-transaction';

const N = secp256k1.Point.Fn.ORDER;
const secret = secp256k1.utils.randomSecretKey();
const digest = Buffer.alloc(32, 7);
const compact = Buffer.from(secp256k1.sign(digest, secret, { prehash: false }));
const [r, s] = [compact.subarray(0, 32), compact.subarray(32)];
const words = { r: `0x${r.toString('hex')}`, s: `0x${s.toString('hex')}` };
const derOf = (bytes: Buffer) =>
  Buffer.concat([secp256k1.Signature.fromBytes(bytes, 'compact').toBytes('der'), Buffer.from([1])]);
const highS = Buffer.concat([r, Buffer.from((N - BigInt(words.s)).toString(16).padStart(64, '0'), 'hex')]);
const schnorr = Buffer.concat([Buffer.alloc(32, 3), Buffer.alloc(32, 4)]);
const schnorrWords = { r: `0x${'03'.repeat(32)}`, s: `0x${'04'.repeat(32)}` };
const publicKey = Buffer.from(secp256k1.getPublicKey(secret));
const push = (item: Buffer) => Buffer.concat([Buffer.from([item.length]), item]);
const none = Buffer.alloc(0);

function transactionWith(script: Buffer, ...witnesses: readonly (readonly Buffer[])[]): RawTransaction {
  const items = witnesses.map((own) => Buffer.concat([countBytes(own.length), ...own.map(chunkBytes)]));
  const input = { txid: '11'.repeat(32), vout: 0, script };
  const inputs = witnesses.length > 1 ? witnesses.map(() => input) : [input];
  return { txid: '22'.repeat(32), inputs, outputs: [], witnesses: Buffer.concat(items), bytes: none };
}

test.each([
  ['ECDSA in a script', transactionWith(Buffer.concat([push(derOf(compact)), push(publicKey)])), words],
  ['ECDSA in a witness', transactionWith(none, [derOf(compact), publicKey]), words],
  ['ECDSA whose s was replaced by the higher s', transactionWith(none, [derOf(highS), publicKey]), words],
  ['Schnorr in a witness', transactionWith(none, [schnorr]), schnorrWords],
  [
    'Schnorr with the signed parts in a script',
    transactionWith(push(Buffer.concat([schnorr, Buffer.from([0x41])]))),
    schnorrWords,
  ],
  ['a nested witness', transactionWith(push(Buffer.alloc(22, 9)), [derOf(compact), publicKey]), words],
])('%s is found', (_what, tx, expected) => {
  expect(signatureOfInput(tx, 0)).toEqual(expected);
});

test('each input has the signature in its own witness', () => {
  const tx = transactionWith(none, [schnorr], [derOf(compact), publicKey]);
  expect([signatureOfInput(tx, 0), signatureOfInput(tx, 1), signatureOfInput(tx, 2)]).toEqual([schnorrWords, words, undefined]);
});

test.each([
  ['neither script nor witness', transactionWith(none)],
  ['a script that ends early', transactionWith(Buffer.from([0x20, 1]))],
  ['a truncated DER signature', transactionWith(none, [derOf(compact).subarray(0, -2)])],
  ['an item of 63 bytes', transactionWith(none, [schnorr.subarray(1)])],
  ['an item of 66 bytes', transactionWith(none, [Buffer.alloc(66, 5)])],
])('%s has no signature', (_what, tx) => {
  expect(signatureOfInput(tx, 0)).toBeUndefined();
});
