import { secp256k1 } from '@noble/curves/secp256k1.js';
import fc from 'fast-check';
import { Transaction } from 'micro-eth-signer';
import type { Signature } from '../../../chains/evm/types';
import type { TransferIntent } from '../../../chains/types';
import { anyFees, anyIntent, anyNonce, codec } from './intents';

const SECRET = new Uint8Array(32).fill(1);
const FROM = '0x1a642f0E3c3aF545E7AcBD38b07251B3990914F1';
const INTENT: TransferIntent = {
  network: 'EthereumSepolia',
  from: FROM,
  to: '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
  amountUnits: 1_000_000_000_000_000n,
  asset: { kind: 'Native' },
};
const FEES = { gas: 21_000n, maxFeePerGas: 3_000_000_000n, maxPriorityFeePerGas: 1_000_000_000n };

function signatureOf(digestHex: string): Signature {
  const bytes = secp256k1.sign(Buffer.from(digestHex.slice(2), 'hex'), SECRET, { prehash: false, format: 'recovered' });
  const hex = Buffer.from(bytes.subarray(1)).toString('hex');
  return { r: `0x${hex.slice(0, 64)}`, s: `0x${hex.slice(64)}`, recoveryId: bytes[0] === 1 ? 1 : 0 };
}

/** The test addresses of EIP-55. */
const EIP_55 = [
  '0x52908400098527886E0F7030069857D2E4169EE7',
  '0x8617E340B3D01FA5F11F306F4090FD50E238070D',
  '0xde709f2102306220921060314715629080e2fb77',
  '0x27b1fdb04752bbc536007a920d24acb045561c26',
  '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
  '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359',
  '0xdbF03B407c01E7cD3CBea99509d93f8DDDC8C6FB',
  '0xD1220A0cf47c7B9Be7A2E6BA89F429762e7b9aDb',
];

test.each(EIP_55)('%s is its own canonical form, and also the canonical form of its lower-case form', (address) => {
  expect(codec.parseAddress(address)).toBe(address);
  expect(codec.parseAddress(address.toLowerCase())).toBe(address);
});

test.each([
  ['no prefix', '5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed'],
  ['a different prefix', '0X5aaeb6053f3e94c9b9a09f33669435e7ef1beaed'],
  ['a missing digit', '0x5aaeb6053f3e94c9b9a09f33669435e7ef1beae'],
  ['an additional digit', '0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed0'],
  ['white space', ' 0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed'],
  ['the format of another chain', 'bc1q0xcqpzrky6eff2g52qdye53xkk9jxkvrh6yhyw'],
  ['a wrong checksum', '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1Beaed'],
  ['no characters', ''],
])('an address with %s is refused', (_what, text) => {
  expect(() => codec.parseAddress(text)).toThrow(expect.objectContaining({ code: 'InvalidAddress', status: 400 }));
});

test('a compressed and an uncompressed public key give one address, with or without prefix', () => {
  const compressed = Buffer.from(secp256k1.getPublicKey(SECRET, true)).toString('hex');
  const uncompressed = Buffer.from(secp256k1.getPublicKey(SECRET, false)).toString('hex');
  expect([compressed, uncompressed, `0x${compressed}`].map(codec.addressOf)).toEqual([FROM, FROM, FROM]);
});

test('unsigned bytes and digest equal those of an independent implementation', () => {
  const built = codec.build(INTENT, 7, FEES);
  const other = Transaction.prepare({
    chainId: 11_155_111n,
    nonce: 7n,
    to: INTENT.to,
    value: INTENT.amountUnits,
    gasLimit: FEES.gas,
    maxFeePerGas: FEES.maxFeePerGas,
    maxPriorityFeePerGas: FEES.maxPriorityFeePerGas,
  });
  expect(built.bytesHex).toBe(other.toHex({ includeSignature: false }));
  expect(built.maxFeeUnits).toBe(63_000_000_000_000n);
  const signed = codec.attach(built, signatureOf(built.digestHex), FROM);
  const independent = other.signBy(SECRET, false);
  expect(signed.rawHex).toBe(independent.toHex());
  expect(signed.txHash).toBe(`0x${independent.hash.replace(/^0x/, '')}`);
});

test('an independent implementation recovers the right sender from every signed transfer', () => {
  fc.assert(
    fc.property(anyIntent, anyNonce, anyFees, (intent, nonce, fees) => {
      const built = codec.build(intent, nonce, fees);
      const read = Transaction.fromHex(codec.attach(built, signatureOf(built.digestHex), FROM).rawHex);
      expect(read.sender).toBe(FROM);
    }),
    { numRuns: 25 },
  );
});

test('a signature over different bytes, by another sender or with a high s is not attached', () => {
  const built = codec.build(INTENT, 7, FEES);
  const signature = signatureOf(built.digestHex);
  const order = secp256k1.Point.Fn.ORDER;
  const highS = `0x${(order - BigInt(signature.s)).toString(16).padStart(64, '0')}`;
  const refused = expect.objectContaining({ code: 'EnvelopeMismatch', retryable: false });
  expect(() => codec.attach(built, signature, INTENT.to)).toThrow(refused);
  expect(() => codec.attach(built, signatureOf(codec.build(INTENT, 8, FEES).digestHex), FROM)).toThrow(refused);
  expect(() => codec.attach(built, { ...signature, recoveryId: signature.recoveryId === 0 ? 1 : 0 }, FROM)).toThrow(refused);
  expect(() => codec.attach(built, { ...signature, s: highS, recoveryId: signature.recoveryId === 0 ? 1 : 0 }, FROM)).toThrow(
    refused,
  );
  expect(() => codec.attach(built, { ...signature, r: `0x${'0'.repeat(64)}` }, FROM)).toThrow(refused);
});

test('a signature that fits the stored digest but not the bytes is not attached', () => {
  const built = codec.build(INTENT, 7, FEES);
  const other = codec.build({ ...INTENT, amountUnits: 1n }, 7, FEES);
  const swapped = { ...other, digestHex: built.digestHex };
  expect(() => codec.attach(swapped, signatureOf(built.digestHex), FROM)).toThrow(
    expect.objectContaining({ code: 'EnvelopeMismatch' }),
  );
});

test.each([
  ['the amount exceeds 256 bits', { ...INTENT, amountUnits: 2n ** 256n }, 0, FEES],
  ['the amount is negative', { ...INTENT, amountUnits: -1n }, 0, FEES],
  ['the nonce is not a safe integer', INTENT, Number.MAX_SAFE_INTEGER + 1, FEES],
  ['the tip is above the maximum fee', INTENT, 0, { ...FEES, maxPriorityFeePerGas: FEES.maxFeePerGas + 1n }],
  ['the intent is for another network', { ...INTENT, network: 'Ethereum' as const }, 0, FEES],
])('nothing is built when %s', (_what, intent, nonce, fees) => {
  expect(() => codec.build(intent, nonce, fees)).toThrow(expect.objectContaining({ code: 'Internal' }));
});
