import fc from 'fast-check';
import { encodeFunctionData, parseAbi, serializeTransaction } from 'viem/utils';
import { evmDecoderOf } from '../../../chains/decoders';
import { anyFees, anyIntent, anyNonce, codec, TOKEN } from './intents';

const decoder = evmDecoderOf('EthereumSepolia');

const TO = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed' as const;
const CONTRACT = TOKEN as `0x${string}`;
const ABI = parseAbi(['function transfer(address,uint256)', 'function approve(address,uint256)']);
const transferData = encodeFunctionData({ abi: ABI, functionName: 'transfer', args: [TO, 5n] });
const base = {
  type: 'eip1559' as const,
  chainId: 11_155_111,
  nonce: 3,
  to: TO,
  value: 5n,
  gas: 21_000n,
  maxFeePerGas: 3n,
  maxPriorityFeePerGas: 1n,
};
const token = { ...base, to: CONTRACT, value: 0n, data: transferData };
const plain = serializeTransaction(base);

test('the decoder reads back exactly the transfer that was built', () => {
  fc.assert(
    fc.property(anyIntent, anyNonce, anyFees, (intent, nonce, fees) => {
      const unsigned = codec.build(intent, nonce, fees);
      expect(decoder.decode(unsigned.bytesHex)).toEqual({
        chainId: 11_155_111,
        nonce,
        recipient: intent.to,
        amountUnits: intent.amountUnits,
        asset: intent.asset,
        ...(intent.asset.kind === 'Erc721' ? { owner: intent.from } : {}),
        maxFeeUnits: unsigned.maxFeeUnits,
        opaque: [],
      });
      expect(`0x${Buffer.from(decoder.digestOf(unsigned.bytesHex)).toString('hex')}`).toBe(unsigned.digestHex);
    }),
    { numRuns: 300 },
  );
});

const signature = { r: `0x${'11'.repeat(32)}`, s: `0x${'22'.repeat(32)}`, yParity: 0 } as const;
const entry = { address: TO, storageKeys: [] };
const legacy = { type: 'legacy', chainId: 11_155_111, nonce: 3, to: TO, value: 5n, gas: 21_000n, gasPrice: 3n } as const;

test.each<[string, string]>([
  ['a legacy transaction', serializeTransaction(legacy)],
  ['a transaction of type 1', serializeTransaction({ ...legacy, type: 'eip2930', accessList: [entry] })],
  [
    'a delegation of the account',
    serializeTransaction({
      ...base,
      type: 'eip7702',
      authorizationList: [{ address: TO, chainId: 11_155_111, nonce: 0, ...signature }],
    }),
  ],
  ['an access list', serializeTransaction({ ...base, accessList: [entry] })],
  ['a contract creation', serializeTransaction({ ...base, to: null, data: '0x6000' })],
  ['a signed transaction', serializeTransaction(base, signature)],
  ['value in addition to a token transfer', serializeTransaction({ ...token, value: 1n })],
  [
    'an approval of the token',
    serializeTransaction({ ...token, data: encodeFunctionData({ abi: ABI, functionName: 'approve', args: [TO, 5n] }) }),
  ],
  ['a token transfer with an additional byte', serializeTransaction({ ...token, data: `${transferData}00` })],
  ['a truncated token transfer', serializeTransaction({ ...token, data: transferData.slice(0, -2) as `0x${string}` })],
  [
    'a token transfer whose address has non-zero padding',
    serializeTransaction({ ...token, data: `0xa9059cbb01${transferData.slice(12)}` as `0x${string}` }),
  ],
  ['a plain transfer with data', serializeTransaction({ ...base, data: '0x00' })],
  ['a byte after the transaction', `${plain}00`],
  ['a truncated transaction', plain.slice(0, -2)],
  ['upper-case hex', `0x${plain.slice(2).toUpperCase()}`],
  ['nothing', '0x'],
  ['text that is not hexadecimal', 'zz'],
])('%s is never understood', (_what, bytesHex) => {
  expect(decoder.decode(bytesHex).opaque).not.toEqual([]);
});

test('a changed byte changes the decoded result or is not understood, except in the tip, which the maximum fee bounds', () => {
  const text = (decoded: unknown) =>
    JSON.stringify(decoded, (_key, value: unknown) => (typeof value === 'bigint' ? `${value}n` : value));
  const bytes = Buffer.from(serializeTransaction(token).slice(2), 'hex');
  const tipAt = bytes.indexOf(Buffer.from('83aa36a70301', 'hex')) + 5;
  const before = text(decoder.decode(`0x${bytes.toString('hex')}`));
  fc.assert(
    fc.property(fc.nat(bytes.length - 1), fc.integer({ min: 1, max: 255 }), (at, flip) => {
      const changed = Buffer.from(bytes);
      changed[at] = (changed[at] ?? 0) ^ flip;
      if (at !== tipAt) expect(text(decoder.decode(`0x${changed.toString('hex')}`))).not.toBe(before);
    }),
    { numRuns: 400 },
  );
});

test('addresses are compared without regard to case, and an empty address equals no address', () => {
  expect(decoder.sameAddress(TO, TO.toLowerCase())).toBe(true);
  expect(decoder.sameAddress(TO, CONTRACT)).toBe(false);
  expect(decoder.sameAddress('', '')).toBe(false);
});
