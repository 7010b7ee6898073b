import { solanaDecoderOf } from '../../../chains/decoders';
import vectors from './vectors.json';

const decoder = solanaDecoderOf('SolanaDevnet');
const { sender, recipient, transactions } = vectors;
type Name = keyof typeof transactions;
const messageOf = (name: Name) => transactions[name].messageHex;

test.each<[Name, string[]]>([
  ['assign', ['System Assign']],
  ['set authority', ['Token SetAuthority']],
  ['approve', ['Token Approve']],
  ['close account', ['Token CloseAccount']],
  ['token batch', ['Token Batch']],
  ['unknown program', [`program ${vectors.mint}`]],
  ['advance elsewhere', ['System AdvanceNonceAccount']],
])('the decoder reports the instruction in the message "%s", which is not a plain transfer', (name, named) => {
  expect(decoder.decode(messageOf(name)).opaque).toEqual(named);
  expect(decoder.decodeTransfer(messageOf(name)).opaque).toEqual(expect.arrayContaining(named));
  expect(decoder.effectOf(messageOf(name))).toEqual({ asset: { kind: 'Call' }, recipient: sender, amountUnits: 0n });
});

test('neither two transfers nor the creation of an account with a seed are a plain transfer', () => {
  expect(decoder.decode(messageOf('two transfers')).opaque).toEqual([]);
  expect(decoder.decodeTransfer(messageOf('two transfers')).opaque).toEqual(['2 transfers']);
  expect(decoder.decodeTransfer(messageOf('nonce accounts')).opaque).toContain('CreateAccountWithSeed');
});

test('the approved content of a raw message omits the blockhash, and a message with a refused instruction has no approved content', () => {
  const zeroed = messageOf('native').replace('09'.repeat(32), '00'.repeat(32));
  expect(decoder.callOf(messageOf('native'))).toEqual({ messageHex: zeroed });
  expect(decoder.callOf(messageOf('durable nonce'))).toEqual({ messageHex: messageOf('durable nonce') });
  expect(decoder.callOf(messageOf('unknown program'))).toBeDefined();
  for (const name of ['assign', 'set authority', 'token batch'] as const) expect(decoder.callOf(messageOf(name))).toBeUndefined();
});

test('the recipient of tokens is the owner if the message creates the token account, and otherwise the token account', () => {
  expect(decoder.effectOf(messageOf('Spl2022 with a new account and a memo')).recipient).toBe(recipient);
  expect(decoder.effectOf(messageOf('Spl')).recipient).toBe(vectors.recipientTokens.Spl);
});

test('bytes that a validator would refuse or read differently are not decoded', () => {
  const message = messageOf('native');
  const broken = [
    `${message}00`,
    message.slice(0, -2),
    message.replace('0x80', '0x82'),
    '0x',
    'x',
    '0xzz',
    message.toUpperCase(),
  ];
  // The first message encodes the count of accounts in two bytes instead of one. The second has more signers than accounts.
  broken.push(message.replace('0x8001000204', '0x800100028400'), message.replace('0x8001', '0x8009'));
  for (const hex of broken) expect(decoder.decode(hex).opaque).toEqual(['bytes']);
  expect(message.startsWith('0x8001000204')).toBe(true);
});

test('every signed or unsigned transaction is recognised, and texts and hashes are not recognised as transactions', () => {
  for (const { messageHex, rawHex } of Object.values(transactions)) {
    expect(decoder.isTransaction(messageHex)).toBe(true);
    expect(decoder.isTransaction(rawHex)).toBe(true);
  }
  const texts = ['hello', 'x'.repeat(2_000), '\u00ffsolana offchain'].map((text) => `0x${Buffer.from(text).toString('hex')}`);
  const hashes = Array.from({ length: 256 }, (_, byte) => `0x${Buffer.alloc(32, byte).toString('hex')}`);
  for (const hex of [...texts, ...hashes]) expect(decoder.isTransaction(hex)).toBe(false);
});
