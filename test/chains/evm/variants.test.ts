import { createEvmCodec } from '../../../chains/evm/codec';
import { createEvmDecoder } from '../../../chains/evm/decoder';
import type { EvmNetwork, EvmVariant } from '../../../chains/evm/types';
import { VARIANTS, variantOf } from '../../../chains/evm/variants';
import { inFamily } from '../../../chains/families';
import { networkOf } from '../../../chains/networks';
import { isAbsent } from '../../../domain/slots';

const FROM = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266';
const TO = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';
const TOKEN = '0x20C0000000000000000000000000000000000000';
const CUSD = '0x874069Fa1Eb16D44d622F2e0Ca25eeA172369bC1';
const fees = { gas: 60_000n, maxFeePerGas: 20_000_000_000n, maxPriorityFeePerGas: 1n };

const NETWORK: Readonly<Record<EvmVariant, EvmNetwork>> = {
  ethereum: inFamily('evm', networkOf('EthereumSepolia')),
  legacy: inFamily('evm', networkOf('EthereumClassicMordor')),
  opStack: inFamily('evm', networkOf('OptimismSepolia')),
  celo: inFamily('evm', networkOf('CeloAlfajores')),
  tempo: inFamily('evm', networkOf('TempoModerato')),
};
const EACH = Object.entries(NETWORK);

const build = (network: EvmNetwork, form: { readonly feeCurrency?: string; readonly nonceKey?: bigint } = {}) =>
  createEvmCodec(network).build(
    { network: network.name, from: FROM, to: TO, amountUnits: 5n, asset: { kind: 'Erc20', contract: TOKEN } },
    3,
    fees,
    form,
  ).bytesHex;

test('this test has a network for each variant, and each network’s record contains its variant', () => {
  expect(Object.keys(VARIANTS).sort()).toEqual(Object.keys(NETWORK).sort());
  expect(EACH.map(([, { variant }]) => variant)).toEqual(EACH.map(([name]) => name));
});

test.each(EACH)('%s: the decoder reads what the builder writes', (_variant, network) => {
  expect(createEvmDecoder(network).decode(build(network))).toMatchObject({
    recipient: TO,
    amountUnits: 5n,
    nonce: 3,
    opaque: [],
  });
});

test.each(EACH)('%s: the reason for a missing feature contains the network', (_variant, network) => {
  const { serialize, fees: ofFees, lanes } = variantOf(network);
  const slots = [serialize.ownType, serialize.sponsored, ofFees.coin, ofFees.token, ofFees.currencies, ofFees.dataFee, lanes];
  for (const slot of slots) if (isAbsent(slot)) expect(slot.why).toContain(network.name);
});

test('a fee currency or nonce key is accepted only on a variant that supports it', () => {
  const buildable = (form: { readonly feeCurrency?: string; readonly nonceKey?: bigint }) =>
    EACH.filter(([, network]) => {
      try {
        return build(network, form) !== build(network);
      } catch {
        return false;
      }
    }).map(([name]) => name);
  expect(buildable({ feeCurrency: CUSD })).toEqual(['celo']);
  expect(buildable({ nonceKey: 1n })).toEqual(['tempo']);
  expect(() => build(NETWORK.ethereum, { feeCurrency: CUSD })).toThrow();
  expect(() => build(NETWORK.celo, { nonceKey: 1n })).toThrow();
});

test('fees are paid in the native coin or in one token, and no network has both', () => {
  for (const [, network] of EACH) {
    const { coin, token } = variantOf(network).fees;
    expect(isAbsent(coin)).toBe(!isAbsent(token));
    expect(isAbsent(coin)).toBe(network.lacks.includes('Native'));
  }
});
