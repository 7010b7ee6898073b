import { ed25519 } from '@noble/curves/ed25519.js';
import fc from 'fast-check';
import { solanaCodecOf } from '../../../chains/codecs';
import { solanaDecoderOf } from '../../../chains/decoders';
import type { SolanaIntent, SolanaTerms } from '../../../chains/solana/types';
import vectors from './vectors.json';

const codec = solanaCodecOf('SolanaDevnet');
const decoder = solanaDecoderOf('SolanaDevnet');
const { sender, recipient, mint, blockhash, nonceAccount, transactions } = vectors;
const SECRET = Buffer.alloc(32, 1);

const INTENT: SolanaIntent = {
  network: 'SolanaDevnet',
  from: sender,
  to: recipient,
  amountUnits: 1_500_000_000n,
  asset: { kind: 'Native' },
};
const TERMS: SolanaTerms = {
  lifetime: { kind: 'blockhash', blockhash, lastValidBlockHeight: 1_000n },
  computeUnitLimit: 30_000,
  microLamportsPerUnit: 1_500n,
};
const tokenOf = (program: 'Spl' | 'Spl2022', createsDestination: boolean) => ({
  ...{ program, decimals: 6, source: vectors.senderTokens[program] },
  ...{ destination: vectors.recipientTokens[program], createsDestination },
});
const durable = { kind: 'durable-nonce', account: nonceAccount, authority: sender, value: blockhash } as const;
const ofToken = (kind: 'Spl' | 'Spl2022') => ({ ...INTENT, amountUnits: 250_000n, asset: { kind, contract: mint } });

const CASES: readonly [keyof typeof transactions, SolanaIntent, SolanaTerms][] = [
  ['native', INTENT, TERMS],
  ['native with memo', { ...INTENT, memo: 'Invoice42' }, TERMS],
  ['durable nonce', INTENT, { ...TERMS, lifetime: durable }],
  ['Spl', ofToken('Spl'), { ...TERMS, token: tokenOf('Spl', false) }],
  [
    'Spl2022 with a new account and a memo',
    { ...ofToken('Spl2022'), memo: 'Invoice42' },
    { ...TERMS, token: tokenOf('Spl2022', true) },
  ],
];

test.each(vectors.keys)('$address is the address of its key', ({ publicKeyHex, address }) => {
  expect(codec.addressOf(publicKeyHex)).toBe(address);
  expect(codec.parseAddress(address)).toBe(address);
  expect(codec.isOnCurve(address)).toBe(true);
});

test.each(vectors.tokenAccounts)('the $program account of $owner is $address', async ({ owner, program, address }) => {
  const known = program === 'Spl' ? 'Spl' : 'Spl2022';
  await expect(codec.associatedTokenAddress(owner, mint, known)).resolves.toBe(address);
  expect(decoder.associatedTokenAddress(owner, mint, known)).toBe(address);
  expect(codec.isOnCurve(address)).toBe(false);
});

const over = (hex: string, secret: Buffer) =>
  `0x${Buffer.from(ed25519.sign(Buffer.from(hex.slice(2), 'hex'), secret)).toString('hex')}`;

test.each(CASES)('%s: message, signed bytes and hash match those of an independent implementation', (name, intent, terms) => {
  const { messageHex, rawHex, txHash } = transactions[name];
  const unsigned = codec.build(intent, terms);
  // The test compares decoded forms, because accounts with one role may be in any order. Without tokens only one order exists.
  expect(decoder.decode(unsigned.bytesHex)).toEqual(decoder.decode(messageHex));
  expect(decoder.decodeTransfer(messageHex).opaque).toEqual([]);
  if (!('contract' in intent.asset)) expect(unsigned.bytesHex).toBe(messageHex);
  const theirs = { ...unsigned, bytesHex: messageHex };
  expect(codec.attach(theirs, over(messageHex, SECRET), sender)).toEqual({ rawHex, txHash });
});

test('nonce accounts are created at addresses that derive from the payer', async () => {
  await expect(codec.seedAddress(sender, vectors.nonceSeed)).resolves.toBe(nonceAccount);
  const accounts = [{ seed: vectors.nonceSeed, address: nonceAccount }];
  const built = codec.buildNonceAccounts({ from: sender, authority: sender, accounts, rentUnits: 1_447_680n }, TERMS);
  expect(decoder.decode(built.bytesHex)).toEqual(decoder.decode(transactions['nonce accounts'].messageHex));
});

test('a signature by another key or over different bytes is not attached', () => {
  const unsigned = codec.build(INTENT, TERMS);
  const other = codec.build({ ...INTENT, amountUnits: 1n }, TERMS);
  for (const signature of [over(unsigned.bytesHex, Buffer.alloc(32, 2)), over(other.bytesHex, SECRET), `0x${'00'.repeat(64)}`])
    expect(() => codec.attach(unsigned, signature, sender)).toThrow(expect.objectContaining({ code: 'EnvelopeMismatch' }));
});

test.each(['', '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed', `${sender}1`, sender.slice(4), sender.replace('A', '0')])(
  '%j is not an address',
  (text) => expect(() => codec.parseAddress(text)).toThrow(expect.objectContaining({ code: 'InvalidAddress' })),
);

/** The rent of 165 and 200 bytes at 6,960 lamports a byte, with 128 bytes of overhead each. */
const RENT = { Spl: 2_039_280n, Spl2022: 2_282_880n } as const;

test('the decoder reads back every built transfer exactly, including its fee', () => {
  const key = fc
    .uint8Array({ minLength: 32, maxLength: 32 })
    .map((seed) => codec.addressOf(Buffer.from(ed25519.getPublicKey(seed)).toString('hex')));
  const memo = fc.option(fc.string({ minLength: 1, maxLength: 64, unit: 'grapheme' }), { nil: undefined });
  const terms = fc.record({
    isDurable: fc.boolean(),
    createsDestination: fc.boolean(),
    units: fc.integer({ min: 1, max: 1_400_000 }),
    price: fc.bigInt({ min: 0n, max: 10_000_000n }),
  });
  const kind = fc.constantFrom('Native', 'Spl', 'Spl2022' as const);
  fc.assert(
    fc.property(
      key,
      key,
      key,
      fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }),
      memo,
      terms,
      kind,
      fc.option(key, { nil: undefined }),
      (from, to, token, amountUnits, said, given, what, feePayer) => {
        fc.pre(new Set([from, to, token, feePayer]).size === 4);
        const program = what === 'Native' ? undefined : what;
        const source = program ? decoder.associatedTokenAddress(from, token, program) : from;
        const destination = program ? decoder.associatedTokenAddress(to, token, program) : to;
        const asset = program ? ({ kind: program, contract: token } as const) : ({ kind: 'Native' } as const);
        const { createsDestination } = given;
        const built = codec.build(
          { network: 'SolanaDevnet', from, to, amountUnits, asset, memo: said, feePayer },
          {
            lifetime: given.isDurable ? { ...durable, authority: from } : TERMS.lifetime,
            computeUnitLimit: given.units,
            microLamportsPerUnit: given.price,
            ...(program ? { token: { program, decimals: 6, source, destination, createsDestination } } : {}),
          },
        );
        expect(decoder.decodeTransfer(built.bytesHex)).toEqual({
          ...{ asset, from, source, destination, amountUnits, opaque: [], feePayer: feePayer ?? from, memo: said ?? null },
          decimals: program ? 6 : null,
          signers: feePayer === undefined ? [from] : [feePayer, from],
          maxFeeUnits: built.maxFeeUnits,
          maxRentUnits: program && createsDestination ? RENT[program] : 0n,
          createsDestination: program !== undefined && createsDestination,
          lifetime: given.isDurable ? { ...durable, authority: from } : { kind: 'blockhash', blockhash },
        });
      },
    ),
    { numRuns: 60 },
  );
});
