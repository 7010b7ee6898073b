import { solanaCodecOf } from '../../../chains/codecs';
import { solanaDecoderOf } from '../../../chains/decoders';
import { AppError } from '../../../domain/errors';
import vectors from './vectors.json';

const codec = solanaCodecOf('SolanaDevnet');
const decoder = solanaDecoderOf('SolanaDevnet');
const { sender, recipient, blockhash, transactions } = vectors;
type Name = keyof typeof transactions;
const unsignedWire = (name: Name) => `0x01${'00'.repeat(64)}${transactions[name].messageHex.slice(2)}`;
const read = (text: string, from = sender) => codec.termsOf(text, from, 'body.transaction');
const base64 = (hex: string) => Buffer.from(hex.slice(2), 'hex').toString('base64');

test.each<Name>(['native', 'legacy native', 'Spl', 'durable nonce', 'unknown program'])(
  '%s: the message is read back byte for byte, with or without empty signatures, as hex or base64',
  (name) => {
    const { messageHex } = transactions[name];
    const terms = read(messageHex);
    for (const text of [messageHex.slice(2), unsignedWire(name), base64(messageHex), base64(unsignedWire(name))])
      expect(read(text)).toEqual(terms);
    expect(terms.blockhash).toBe(name === 'durable nonce' ? null : blockhash);
    const built = codec.buildRaw(terms, null);
    expect(built.bytesHex).toBe(messageHex);
    expect(built.maxFeeUnits).toBe(decoder.decode(messageHex).maxFeeUnits);
    expect(decoder.callOf(messageHex)).toEqual(terms.call);
  },
);

test('a message without a blockhash gets the given blockhash', () => {
  const open = read(transactions.native.messageHex.replace('09'.repeat(32), '00'.repeat(32)));
  expect(open.blockhash).toBeNull();
  expect(codec.buildRaw(open, blockhash).bytesHex).toBe(transactions.native.messageHex);
});

test.each<Name>(['native', 'legacy native', 'Spl', 'two transfers', 'unknown program', 'Spl2022 with a new account and a memo'])(
  '%s: builder and decoder read the same effect',
  (name) => {
    const { messageHex } = read(transactions[name].messageHex).call;
    expect(codec.effectOf(messageHex)).toEqual(decoder.effectOf(messageHex));
  },
);

test.each([
  ['plain text', 'not a transaction!', 'must be hexadecimal or base64'],
  ['an empty text', '', 'is not the canonical encoding'],
  ['a signed transaction', transactions.native.rawHex, 'is already signed'],
  ['additional bytes', `${transactions.native.messageHex}00`, 'is not the canonical encoding'],
  [
    'an instruction that assigns the account to another program',
    transactions.assign.messageHex,
    'the instruction Assign, which is never signed',
  ],
  ['a new owner of tokens', transactions['set authority'].messageHex, 'SetAuthority, which is never signed'],
  ['a delegate', transactions.approve.messageHex, 'Approve, which is never signed'],
  ['an account that is closed', transactions['close account'].messageHex, 'CloseAccount, which is never signed'],
  ['a batch', transactions['token batch'].messageHex, 'Batch, which is never signed'],
  [
    'a nonce advance in a later instruction',
    transactions['advance elsewhere'].messageHex,
    'advances a nonce in an instruction other than the first',
  ],
])('400: %s', (_, text, message) => {
  expect(() => read(text)).toThrow(
    expect.objectContaining({ code: 'InvalidRequest', message: expect.stringContaining(message) }),
  );
});

test('400: the sender of the transaction is not the wallet, and the error contains the field', () => {
  try {
    read(transactions.native.messageHex, recipient);
    throw new Error('the transaction was accepted');
  } catch (error) {
    expect(error instanceof AppError && error.details['issues']).toEqual([
      { path: 'body.transaction', message: expect.stringContaining(`the wallet's own address ${recipient}`) },
    ]);
  }
});
