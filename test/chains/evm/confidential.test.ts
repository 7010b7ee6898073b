import { encodeFunctionData, parseAbi, parseTransaction } from 'viem/utils';
import { evmDecoderOf } from '../../../chains/decoders';
import type { TransferIntent } from '../../../chains/types';
import { codec, TOKEN } from './intents';

const FROM = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';
const TO = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';
const FEES = { gas: 300_000n, maxFeePerGas: 3n, maxPriorityFeePerGas: 1n };
const handleOn = (chainId: number, ending = '0500') => `0x${'ab'.repeat(21)}00${chainId.toString(16).padStart(16, '0')}${ending}`;
const HANDLE = handleOn(11_155_111);
const decoder = evmDecoderOf('EthereumSepolia');

const built = (inputProof: string, handle = HANDLE) => {
  const intent: TransferIntent = {
    ...{ network: 'EthereumSepolia', from: FROM, to: TO, amountUnits: 700n },
    asset: { kind: 'Erc7984', contract: TOKEN },
    encrypted: { handle, inputProof },
  };
  return codec.build(intent, 5, FEES).bytesHex;
};

test.each([1, 31, 32, 33, 99, 2_048])('a proof of %i bytes is read back together with recipient, token and handle', (length) => {
  const inputProof = `0x${'c7'.repeat(length)}`;
  expect(decoder.decode(built(inputProof))).toEqual({
    ...{ chainId: 11_155_111, nonce: 5, maxFeeUnits: 900_000n, recipient: TO, amountUnits: 0n },
    asset: { kind: 'Erc7984', contract: TOKEN },
    encrypted: { handle: HANDLE, inputProof },
    opaque: [],
  });
});

test.each([
  ['another chain', handleOn(1)],
  ['32 bits', handleOn(11_155_111, '0400')],
  ['a later version', handleOn(11_155_111, '0501')],
])('a handle that belongs to %s is not understood', (_which, handle) => {
  expect(decoder.decode(built('0x01', handle)).opaque).toEqual(['encrypted amount']);
});

const written = `${parseTransaction(built(`0x${'c7'.repeat(33)}`) as `0x${string}`).data}`;
const at = (byte: number, value: string) => written.slice(0, 2 + byte * 2) + value + written.slice(4 + byte * 2);
const HEAD = 4 + 32 * 3;

test.each([
  ['a different function', at(3, '63')],
  ['an invalid address', at(5, '01')],
  ['a proof at a wrong offset', at(HEAD - 1, '80')],
  ['a proof that is longer than its words', at(HEAD + 31, '61')],
  ['a proof that is shorter than its words', at(HEAD + 31, '20')],
  ['an empty proof', at(HEAD + 31, '00')],
  ['non-zero padding after the proof', at(HEAD + 32 + 34, '01')],
  ['a word after the proof', `${written}${'00'.repeat(32)}`],
  ['half a word', written.slice(0, -2)],
])('call data with %s is not understood', (_what, dataHex) => {
  const call = { type: 2 as const, to: TOKEN, valueUnits: '0', dataHex, accessList: [], authorizationList: [] };
  expect(decoder.decode(codec.buildCall(call, 5, FEES).bytesHex).opaque).not.toEqual([]);
});

test('native value in addition to an encrypted amount is not understood', () => {
  const call = { type: 2 as const, to: TOKEN, valueUnits: '1', dataHex: written, accessList: [], authorizationList: [] };
  expect(decoder.decode(codec.buildCall(call, 5, FEES).bytesHex).opaque).toEqual(['value in addition to a token transfer']);
});

const CLEAR = parseAbi([
  'function confidentialTransfer(address to, bytes32 amount)',
  'function confidentialTransferFrom(address from, address to, bytes32 amount, bytes proof)',
]);
const hex = (text: string) => text as `0x${string}`;

test.each([
  ['confidentialTransfer with a proof', written],
  [
    'confidentialTransfer',
    encodeFunctionData({ abi: CLEAR, functionName: 'confidentialTransfer', args: [hex(TO), hex(HANDLE)] }),
  ],
  [
    'confidentialTransferFrom',
    encodeFunctionData({ abi: CLEAR, functionName: 'confidentialTransferFrom', args: [hex(FROM), hex(TO), hex(HANDLE), '0x01'] }),
  ],
])('a raw transaction of %s has an unknown effect', (_name, dataHex) => {
  const call = { type: 2 as const, to: TOKEN, valueUnits: '0', dataHex, accessList: [], authorizationList: [] };
  const unknown = { asset: { kind: 'Call' }, recipient: TOKEN, amountUnits: 0n };
  expect(codec.effectOf(call)).toEqual(unknown);
  expect(decoder.decodeCall(codec.buildCall(call, 5, FEES).bytesHex)).toMatchObject({ effect: unknown, opaque: [] });
});
