import { evmCodecOf } from '../../../../../chains/codecs';
import type { NetworkName } from '../../../../../domain/networks';
import { termsRequested, type WrittenTransaction } from '../../../../../signer/judging/requests/evm/request-terms';
import { requireNetwork } from '../../../../../signer/judging/require-network';
import { refusedAs } from '../../../fixtures';
import { bytesWithNonce, FROM, ownAuthorization, TO, TOKEN } from './evm-orders';

const SEPOLIA = 'EthereumSepolia';
const CUSD = '0x874069Fa1Eb16D44d622F2e0Ca25eeA172369bC1';
const FEES = { gas: 60_000n, maxFeePerGas: 1n, maxPriorityFeePerGas: 1n };
const read = (written: WrittenTransaction, network: NetworkName) => termsRequested(written, requireNetwork('evm', network), FROM);
const refusal = refusedAs('RequestMismatch');

type Members = Exclude<WrittenTransaction, string>;
const authorizationList = [ownAuthorization(8)];
test.each<readonly [string, NetworkName, Partial<Members>]>([
  ['an unknown type', SEPOLIA, { type: 3 }],
  ['a nonce key without type 118', SEPOLIA, { type: 2, nonceKey: 1 }],
  ['a fee currency without type 123', SEPOLIA, { type: 2, feeCurrency: CUSD }],
  ['type 123 without a fee currency', 'CeloAlfajores', { type: 123 }],
  ['an access list for type 0', SEPOLIA, { type: 0, accessList: [] }],
  ['an access list for type 118', 'TempoModerato', { type: 118, accessList: [] }],
  ['authorizations without type 4', SEPOLIA, { type: 2, authorizationList }],
  ['an empty list of authorizations without type 4', SEPOLIA, { type: 2, authorizationList: [] }],
  ['type 4 without authorizations', SEPOLIA, { type: 4 }],
  ['type 4 with an empty list of authorizations', SEPOLIA, { type: 4, authorizationList: [] }],
  [
    'an authorization whose parity is not one bit',
    SEPOLIA,
    { type: 4, authorizationList: [{ ...ownAuthorization(8), yParity: 2 }] },
  ],
  ['a gas price for type 2', SEPOLIA, { type: 2, gasPrice: 5 }],
  ['a maximum fee for type 0', SEPOLIA, { type: 0, maxFeePerGas: 5 }],
  ['a tip for type 1', SEPOLIA, { type: 1, maxPriorityFeePerGas: 5 }],
])('a transaction with %s is refused', (_what, network, members) => {
  expect(() => read({ to: TO, ...members }, network)).toThrow(refusal);
});

test.each<readonly [string, NetworkName, Partial<Members>]>([
  ['a nonce key', 'TempoModerato', { type: 118, nonceKey: 1 }],
  ['a fee currency', 'CeloAlfajores', { type: 123, feeCurrency: CUSD }],
  ['an access list', SEPOLIA, { type: 1, accessList: [] }],
  ['an authorization', SEPOLIA, { type: 4, authorizationList }],
  ['a gas price', SEPOLIA, { type: 1, gasPrice: 5 }],
  ['a maximum fee and a tip', SEPOLIA, { type: 2, maxFeePerGas: 5, maxPriorityFeePerGas: 5 }],
])('a transaction of the type that has %s is read', (_what, network, members) => {
  expect(read({ to: TO, ...members }, network).call).toMatchObject({ type: members.type, to: TO });
});

test('bytes are read only on the network of their chain id', () => {
  const call = { type: 2, to: TOKEN, valueUnits: '5', dataHex: '0x', accessList: [], authorizationList: [] } as const;
  const { bytesHex } = evmCodecOf('EthereumHolesky').buildCall(call, 4, FEES);
  expect(read(bytesHex, 'EthereumHolesky')).toMatchObject({ call, bytesHex });
  expect(() => read(bytesHex, SEPOLIA)).toThrow(refusal);
});

test('bytes with a number that the decoder would round are refused', () => {
  expect(read(bytesWithNonce(2n ** 53n - 1n), SEPOLIA).nonce).toBe(2n ** 53n - 1n);
  expect(() => read(bytesWithNonce(2n ** 53n + 1n), SEPOLIA)).toThrow(refusal);
});
