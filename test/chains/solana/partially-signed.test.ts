import { createPublicKey, verify } from 'node:crypto';
import { ed25519 } from '@noble/curves/ed25519.js';
import { base58 } from '@scure/base';
import { solanaCodecOf } from '../../../chains/codecs';
import { solanaDecoderOf } from '../../../chains/decoders';
import { keyOf } from '../../local/solana/tokens';
import { type Account, messageOf, SYSTEM, wireOf } from './messages';
import vectors from './vectors.json';

const codec = solanaCodecOf('SolanaDevnet');
const decoder = solanaDecoderOf('SolanaDevnet');
const [ours, payer, stranger] = [keyOf(1), keyOf(2), keyOf(3)];
const bytesOf = (hex: string) => Buffer.from(hex.slice(2), 'hex');
const signatureOf = (message: Buffer, { secret }: typeof ours) => ed25519.sign(Uint8Array.from(message), secret);
const read = (text: string, signer: string = ours.address) => codec.partialOf(text, signer, 'body.transaction');

/** A payment of 1,000 lamports from our key, with a fee that another key pays. */
const pay = { program: SYSTEM, data: '02000000e803000000000000' };
const two = (changes: Partial<Parameters<typeof messageOf>[0]> = {}) =>
  messageOf({
    signers: [payer.address, ours.address],
    instructions: [{ ...pay, accounts: [ours.address, stranger.address] }],
    ...changes,
  });
const inTable: Account = { lookedUp: 0 };

test.each(['legacy', 0] as const)(
  '%s: our signature is added in its place, and the signatures of other parties stay',
  (version) => {
    const message = two({ version });
    const open = wireOf(message, [null, null]);
    const asked = [open.toString('hex'), open.toString('base64'), `0x${message.toString('hex')}`];
    for (const text of asked)
      expect(read(text)).toMatchObject({
        feePayer: payer.address,
        messageHex: `0x${message.toString('hex')}`,
        maxFeeUnits: 10_000n,
      });
    const own = signatureOf(message, ours);
    const halfSigned = codec.signPartial(open.toString('base64'), `0x${Buffer.from(own).toString('hex')}`, ours.address);
    expect(halfSigned).toEqual({ rawHex: `0x${wireOf(message, [null, own]).toString('hex')}` });

    const theirs = signatureOf(message, payer);
    const whole = codec.signPartial(
      wireOf(message, [theirs, null]).toString('hex'),
      `0x${Buffer.from(own).toString('hex')}`,
      ours.address,
    );
    expect(whole).toEqual({ rawHex: `0x${wireOf(message, [theirs, own]).toString('hex')}`, txHash: base58.encode(theirs) });
    const spki = Buffer.from(`302a300506032b6570032100${ours.publicKeyHex}`, 'hex');
    const key = createPublicKey({ key: spki, format: 'der', type: 'spki' });
    expect(verify(null, message, key, bytesOf(whole.rawHex).subarray(65, 129))).toBe(true);
    expect(() => codec.signPartial(open.toString('hex'), `0x${Buffer.from(theirs).toString('hex')}`, ours.address)).toThrow(
      expect.objectContaining({ code: 'EnvelopeMismatch' }),
    );
  },
);

test('a transaction with an account from a lookup table has an unknown effect', () => {
  const message = two({ version: 0, lookups: 1, instructions: [{ ...pay, accounts: [ours.address, inTable] }] });
  const messageHex = `0x${message.toString('hex')}`;
  expect(read(messageHex)).toMatchObject({ messageHex });
  expect(decoder.refused(messageHex)).toEqual([]);
  expect(decoder.effectOf(messageHex)).toMatchObject({ asset: { kind: 'Call' } });
});

const ADVANCE = '04000000';
const NONCE = [vectors.nonceAccount, 'SysvarRecentB1ockHashes11111111111111111111'];
const TOKEN = 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA';

test('the first instruction determines the durable nonce, under any authority', () => {
  for (const authority of [ours.address, payer.address]) {
    const message = two({ instructions: [{ program: SYSTEM, data: ADVANCE, accounts: [...NONCE, authority] }] });
    const { lifetime } = read(message.toString('hex'));
    expect(lifetime).toMatchObject({ kind: 'durable-nonce', account: vectors.nonceAccount, authority });
    expect(decoder.decode(`0x${message.toString('hex')}`).lifetime).toEqual(lifetime);
  }
});

test.each<[string, string, Partial<Parameters<typeof messageOf>[0]>]>([
  [
    'an Assign of an account from a lookup table',
    'Assign, which is never',
    { instructions: [{ program: SYSTEM, data: `01000000${'00'.repeat(32)}`, accounts: [inTable] }], lookups: 1, version: 0 },
  ],
  [
    'a SetAuthority for an account from a lookup table',
    'SetAuthority, which is never',
    { instructions: [{ program: TOKEN, data: '060200', accounts: [inTable, ours.address] }], lookups: 1, version: 0 },
  ],
  [
    'a nonce account from a lookup table',
    'in an unsupported form',
    {
      instructions: [{ program: SYSTEM, data: ADVANCE, accounts: [inTable, NONCE[1] ?? '', ours.address] }],
      lookups: 1,
      version: 0,
    },
  ],
  [
    'additional bytes after an advance',
    'in an unsupported form',
    { instructions: [{ program: SYSTEM, data: `${ADVANCE}00`, accounts: [...NONCE, ours.address] }] },
  ],
  [
    'an advance in a later instruction',
    'other than the first',
    {
      instructions: [
        { ...pay, accounts: [ours.address, stranger.address] },
        { program: SYSTEM, data: ADVANCE, accounts: [...NONCE, ours.address] },
      ],
    },
  ],
  ['no instruction', 'has no instruction', { instructions: [] }],
])('400: %s, and the decoder refuses all but the last', (name, words, changes) => {
  const message = two(changes);
  expect(() => read(message.toString('hex'))).toThrow(
    expect.objectContaining({ code: 'InvalidRequest', message: expect.stringContaining(words) }),
  );
  expect(decoder.refused(`0x${message.toString('hex')}`).length > 0).toBe(name !== 'no instruction');
});

test.each<[string, string, () => Buffer]>([
  [
    'a transaction that does not need our signature',
    'needs no signature of',
    () => two({ signers: [payer.address], instructions: [{ ...pay, accounts: [payer.address, ours.address] }] }),
  ],
  ['a transaction that we have already signed', 'already', () => wireOf(two(), [null, signatureOf(two(), ours)])],
  [
    'a signature by another party over different bytes',
    'not valid for these bytes',
    () => wireOf(two(), [signatureOf(two(), ours), null]),
  ],
  ['no blockhash', 'has no blockhash', () => two({ blockhash: SYSTEM })],
  ['an additional byte', 'canonical', () => Buffer.concat([two(), Buffer.of(0)])],
  [
    'a transaction that is too long',
    'longer than a packet',
    () => two({ instructions: [{ ...pay, data: '00'.repeat(1_050), accounts: [] }] }),
  ],
])('400: %s', (_, words, make) => {
  expect(() => read(make().toString('hex'))).toThrow(
    expect.objectContaining({ code: 'InvalidRequest', message: expect.stringContaining(words) }),
  );
});
