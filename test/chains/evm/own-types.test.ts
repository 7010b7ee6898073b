import { secp256k1 } from '@noble/curves/secp256k1.js';
import { concatHex, fromRlp, toRlp } from 'viem/utils';
import { evmCodecOf, evmPayloads } from '../../../chains/codecs';
import { evmDecoderOf, evmOwnTypeChainId } from '../../../chains/decoders';
import type { Signature, TransactionInput } from '../../../chains/evm/types';
import vectors from './vectors.json';

type Hex = `0x${string}`;

const SECRET = new Uint8Array(32).fill(1);
const FROM = '0x1a642f0E3c3aF545E7AcBD38b07251B3990914F1';
const TO = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';
const CUSD = '0x874069Fa1Eb16D44d622F2e0Ca25eeA172369bC1';
const USD = '0x20C0000000000000000000000000000000000000';
const GWEI = 10n ** 9n;
const data = `0xa9059cbb${TO.slice(2).toLowerCase().padStart(64, '0')}${'5'.padStart(64, '0')}`;
const prices = { maxFeePerGas: '3000000000', maxPriorityFeePerGas: '1000000000' };
const { celo, celoList, tempoLane } = vectors.ownTypes;

function sign(digestHex: string): Signature {
  const digest = Buffer.from(digestHex.slice(2), 'hex');
  const hex = Buffer.from(secp256k1.sign(digest, SECRET, { prehash: false, format: 'recovered' })).toString('hex');
  return { r: `0x${hex.slice(2, 66)}`, s: `0x${hex.slice(66)}`, recoveryId: hex.startsWith('01') ? 1 : 0 };
}

const RAW = [
  [
    'CeloAlfajores',
    celo,
    { type: 123, to: TO, value: '1000000000000000', nonce: 9, gasLimit: 71_000, feeCurrency: CUSD, ...prices },
    { asset: { kind: 'Native' }, recipient: TO, amountUnits: 10n ** 15n },
  ],
  [
    'CeloAlfajores',
    celoList,
    {
      ...{ type: '0x7b', to: CUSD, data, nonce: 9, gasLimit: 90_000, feeCurrency: CUSD.toLowerCase(), ...prices },
      accessList: [{ address: TO, storageKeys: [`0x${'11'.repeat(32)}`] }],
    },
    { asset: { kind: 'Erc20', contract: CUSD }, recipient: TO, amountUnits: 5n },
  ],
  [
    'TempoModerato',
    tempoLane,
    { ...{ type: 118, to: USD, data, nonce: 9, nonceKey: '3', gasLimit: 60_000 }, ...prices, maxFeePerGas: '20000000000' },
    { asset: { kind: 'Erc20', contract: USD }, recipient: TO, amountUnits: 5n },
  ],
] as const;

test.each(RAW)(
  '%s: a transaction of the network’s own type, given as members or as bytes, equals that of an independent implementation',
  (network, vector, input, effect) => {
    const codec = evmCodecOf(network);
    const terms = codec.termsOf(input, FROM, 'body');
    expect(codec.termsOf(vector.unsigned, FROM, 'body')).toEqual(terms);
    const { call, nonce, gas, maxFeePerGas, maxPriorityFeePerGas } = terms;
    const fees = {
      gas: BigInt(gas ?? 0),
      maxFeePerGas: BigInt(maxFeePerGas ?? 0),
      maxPriorityFeePerGas: BigInt(maxPriorityFeePerGas ?? 0),
    };
    const unsigned = codec.buildCall(call, nonce ?? 0, fees);
    expect(unsigned.bytesHex).toBe(vector.unsigned);
    expect(codec.attach(unsigned, sign(unsigned.digestHex), FROM)).toEqual({ rawHex: vector.raw, txHash: vector.txHash });
    const { maxFeeUnits } = unsigned;
    const lane = network === 'TempoModerato' ? { nonceKey: 3n } : {};
    const chainId = network === 'TempoModerato' ? 42_431 : 44_787;
    expect(evmDecoderOf(network).decodeCall(unsigned.bytesHex)).toEqual({
      chainId,
      nonce: 9,
      ...lane,
      maxFeeUnits,
      call,
      effect,
      opaque: [],
    });
    expect(evmPayloads.chainIdIn(vector.unsigned)).toBe(chainId);
  },
);

test('a transfer with a fee currency and a transfer in a lane (with a nonce key of Tempo) have the bytes of the vectors', () => {
  const parties = { from: FROM, to: TO } as const;
  const native = { ...parties, network: 'CeloAlfajores', amountUnits: 10n ** 15n, asset: { kind: 'Native' } } as const;
  const inCurrency = { gas: 71_000n, maxFeePerGas: 3n * GWEI, maxPriorityFeePerGas: GWEI };
  const bytes = evmCodecOf('CeloAlfajores').build(native, 9, inCurrency, { feeCurrency: CUSD }).bytesHex;
  expect(bytes).toBe(celo.unsigned);
  expect(evmDecoderOf('CeloAlfajores').decode(bytes)).toMatchObject({ feeCurrency: CUSD, recipient: TO, opaque: [] });
  const token = { ...parties, network: 'TempoModerato', amountUnits: 5n, asset: { kind: 'Erc20', contract: USD } } as const;
  const inLane = { gas: 60_000n, maxFeePerGas: 20n * GWEI, maxPriorityFeePerGas: GWEI };
  const laned = evmCodecOf('TempoModerato').build(token, 9, inLane, { nonceKey: 3n }).bytesHex;
  expect(laned).toBe(tempoLane.unsigned);
  expect(evmDecoderOf('TempoModerato').decode(laned)).toMatchObject({ nonceKey: 3n, nonce: 9, recipient: TO, opaque: [] });
  for (const other of ['EthereumSepolia', 'OptimismSepolia'] as const)
    for (const one of [bytes, laned]) {
      expect(evmDecoderOf(other).decode(one).opaque).not.toEqual([]);
      expect(evmDecoderOf(other).decodeCall(one).opaque).not.toEqual([]);
    }
});

/** The same transaction with the member at this index replaced or added. */
function changed(bytes: string, at: number, member: unknown): string {
  const members = fromRlp(`0x${bytes.slice(4)}`, 'hex') as unknown[];
  members[at] = member;
  return concatHex([bytes.slice(0, 4) as Hex, toRlp(members as Hex[])]);
}

test.each<[string, 'CeloAlfajores' | 'TempoModerato', string]>([
  ['a currency that is not listed', 'CeloAlfajores', changed(celo.unsigned, 9, TO.toLowerCase())],
  ['no currency', 'CeloAlfajores', changed(celo.unsigned, 9, '0x')],
  ['a signature', 'CeloAlfajores', celo.raw],
  ['an integer with a leading zero', 'CeloAlfajores', changed(celo.unsigned, 1, '0x0009')],
  ['no recipient', 'CeloAlfajores', changed(celo.unsigned, 5, '0x')],
  ['a third member in an access list entry', 'CeloAlfajores', changed(celo.unsigned, 8, [[TO.toLowerCase(), [], '0x01']])],
  ['another chain', 'CeloAlfajores', changed(celo.unsigned, 0, '0xa4ec')],
  ['the nonce key that does not count nonces', 'TempoModerato', changed(tempoLane.unsigned, 6, `0x${'ff'.repeat(32)}`)],
  [
    'two calls',
    'TempoModerato',
    changed(tempoLane.unsigned, 4, [
      [USD.toLowerCase(), '0x', data],
      [USD.toLowerCase(), '0x', data],
    ]),
  ],
  ['a fee payer', 'TempoModerato', changed(tempoLane.unsigned, 11, '0x00')],
  ['an expiry time', 'TempoModerato', changed(tempoLane.unsigned, 8, '0x6553f100')],
  ['a different fee token', 'TempoModerato', changed(tempoLane.unsigned, 10, CUSD.toLowerCase())],
  ['a signature', 'TempoModerato', tempoLane.raw],
  ['an additional byte', 'TempoModerato', `${tempoLane.unsigned}00`],
])('bytes with %s are not accepted on %s', (what, network, bytes) => {
  expect(() => evmCodecOf(network).termsOf(bytes, FROM, 'body.transaction')).toThrow(
    expect.objectContaining({
      code: 'InvalidRequest',
      details: { issues: [expect.objectContaining({ path: 'body.transaction' })] },
    }),
  );
  const { chainId, opaque } = evmDecoderOf(network).decodeCall(bytes);
  if (what === 'another chain') expect(chainId).toBe(42_220);
  else expect(opaque).not.toEqual([]);
});

test.each<[string, 'CeloAlfajores' | 'TempoModerato' | 'EthereumSepolia', TransactionInput, string]>([
  ['a type from another network', 'EthereumSepolia', { type: 123, to: TO, feeCurrency: CUSD }, 'type'],
  ['a type from another network', 'CeloAlfajores', { type: 118, to: TO }, 'type'],
  ['a fee currency in a type without one', 'CeloAlfajores', { type: 2, to: TO, feeCurrency: CUSD }, 'feeCurrency'],
  ['no currency', 'CeloAlfajores', { type: 123, to: TO }, 'feeCurrency'],
  ['a currency that is not listed', 'CeloAlfajores', { type: 123, to: TO, feeCurrency: TO }, 'feeCurrency'],
  ['one price per gas', 'CeloAlfajores', { type: 123, to: TO, feeCurrency: CUSD, gasPrice: 1 }, 'gasPrice'],
  ['a lane in a type without lanes', 'TempoModerato', { type: 2, to: TO, nonceKey: 1 }, 'nonceKey'],
  [
    'the nonce key that does not count nonces',
    'TempoModerato',
    { type: 118, to: TO, nonceKey: `0x${'ff'.repeat(32)}` },
    'nonceKey',
  ],
  ['value on a network without a native coin', 'TempoModerato', { type: 118, to: TO, value: 1 }, 'value'],
])('%s is refused on %s', (_what, network, input, field) => {
  expect(() => evmCodecOf(network).termsOf(input, FROM, 'body')).toThrow(
    expect.objectContaining({
      code: 'InvalidRequest',
      details: { issues: [expect.objectContaining({ path: `body.${field}` })] },
    }),
  );
});

test('bytes of these types are recognised as transactions, signed or unsigned, even when a caller sends them as a message', () => {
  for (const { unsigned, raw } of [celo, celoList, tempoLane])
    for (const bytes of [unsigned, raw]) {
      expect(evmPayloads.isEvmTransaction(bytes)).toBe(true);
      expect(evmOwnTypeChainId(bytes)).toBeDefined();
    }
  expect(['0x7b', '0x76c0', '0x7b7b7b'].map((text) => [evmPayloads.isEvmTransaction(text), evmOwnTypeChainId(text)])).toEqual(
    Array(3).fill([false, undefined]),
  );
});
