import { addr } from 'micro-eth-signer';
import { absent, type Slot } from '../../domain/slots';
import type { EvmCall } from '../../domain/transactions';
import { callOf, effectOf, NUMBER_MAX, unreadableCall, with0x } from './decoder-calls';
import { CELO_PREFIX, readCelo } from './decoder-celo';
import { integerIn, listIn, readRlp } from './decoder-rlp';
import { readTempo, TEMPO_PREFIX } from './decoder-tempo';
import type { Call } from './decoder-transfers';
import { readTyped } from './decoder-typed-transactions';
import type { DecodedCall, EvmNetwork, EvmNetworkOf, EvmVariant, OfEachVariant } from './types';

/** These functions share no code with `variants.ts`, which defines the builder's slots. */
type DecodeSlot = {
  /** Reads a transfer. Throws for a form that the variant does not allow. */
  readonly transfer: (bytesHex: string) => Call;
  /** Reads raw transactions of the type that only this variant has. Throws for unreadable bytes. */
  readonly ownType: Slot<{ readonly prefix: string; readonly read: (bytesHex: string) => DecodedCall }>;
};

const NO_OWN_TYPE = absent('The network has no transaction types beyond those of Ethereum');
const likeEthereum = (): DecodeSlot => ({ transfer: (bytesHex) => readTyped(bytesHex, 'eip1559'), ownType: NO_OWN_TYPE });

const DECODED: OfEachVariant<DecodeSlot> = {
  ethereum: likeEthereum,
  opStack: likeEthereum,
  legacy: () => ({ transfer: (bytesHex) => readTyped(bytesHex, 'legacy'), ownType: NO_OWN_TYPE }),
  celo: (network) => ({
    transfer: (bytesHex) =>
      bytesHex.startsWith(CELO_PREFIX) ? readCeloTransfer(network, bytesHex) : readTyped(bytesHex, 'eip1559'),
    ownType: { prefix: CELO_PREFIX, read: (bytesHex) => readCeloCall(network, bytesHex) },
  }),
  tempo: (network) => ({
    transfer: (bytesHex) => readTempoTransfer(network, bytesHex),
    ownType: { prefix: TEMPO_PREFIX, read: (bytesHex) => readTempoCall(network, bytesHex) },
  }),
};

export function decodeSlotOf<V extends EvmVariant>(network: EvmNetworkOf<V> & { readonly variant: V }): DecodeSlot {
  const slotOf: (own: EvmNetworkOf<V>) => DecodeSlot = DECODED[network.variant];
  return slotOf(network);
}

/** Adds `fee currency` to `opaque` if the currency is not among the network's `feeCurrencies`. */
function readCeloTransfer({ feeCurrencies }: EvmNetwork, bytesHex: string): Call {
  const { accessList, gas, maxFeePerGas, tip, feeCurrency: taken, ...call } = readCelo(bytesHex);
  const known = feeCurrencies.find(({ contract }) => contract.toLowerCase() === with0x(taken));
  const opaque = [
    ...(accessList.length > 0 ? ['access list'] : []),
    ...(tip > maxFeePerGas ? ['tip'] : []),
    ...(known ? [] : ['fee currency']),
  ];
  return { ...call, maxFeeUnits: gas * maxFeePerGas, opaque, ...(known ? { feeCurrency: known.contract } : {}) };
}

function readCeloCall(network: EvmNetwork, bytesHex: string): DecodedCall {
  const { accessList } = readCelo(bytesHex);
  const { opaque, feeCurrency, ...read } = readCeloTransfer(network, bytesHex);
  const named = feeCurrency === undefined ? {} : { feeCurrency: addr.addChecksum(feeCurrency) };
  return decoded(123, { ...read, opaque: opaque.filter((one) => one !== 'access list') }, named, accessList);
}

function readTempoTransfer({ feeToken }: EvmNetworkOf<'tempo'>, bytesHex: string): Call {
  const { surplus, gas, maxFeePerGas, feeToken: taken, nonceKey, ...call } = readTempo(bytesHex);
  const opaque = with0x(taken) === feeToken.contract.toLowerCase() ? surplus : [...surplus, 'fee token'];
  return { ...call, maxFeeUnits: gas * maxFeePerGas, opaque, ...(nonceKey === 0n ? {} : { nonceKey }) };
}

function readTempoCall(network: EvmNetworkOf<'tempo'>, bytesHex: string): DecodedCall {
  const read = readTempoTransfer(network, bytesHex);
  return decoded(118, read, { nonceKey: (read.nonceKey ?? 0n).toString() });
}

function decoded(
  type: EvmCall['type'],
  { chainId, nonce, to, value, data, maxFeeUnits, opaque, nonceKey }: Call,
  own: Pick<EvmCall, 'feeCurrency' | 'nonceKey'>,
  accessList: readonly { readonly address: string; readonly storageKeys: readonly string[] }[] = [],
): DecodedCall {
  if (!/^[0-9a-f]{40}$/i.test(to)) return unreadableCall('contract creation');
  const read = callOf(type, {
    ...{ nonce, gasLimit: 0n, to: with0x(to), value, data },
    accessList: accessList.map(({ address, storageKeys }) => ({ address: with0x(address), storageKeys: [...storageKeys] })),
  });
  const call: EvmCall = { ...read, ...own };
  return {
    chainId: Number(chainId),
    nonce: Number(nonce),
    ...(nonceKey === undefined ? {} : { nonceKey }),
    maxFeeUnits,
    call,
    effect: effectOf(call),
    opaque: [...opaque, ...(nonce > NUMBER_MAX ? ['nonce'] : []), ...(chainId > NUMBER_MAX ? ['chain id'] : [])],
  };
}

/** Transaction types that only some networks have. 0x78 begins the bytes that a fee payer of Tempo signs. */
const OWN_TYPES = /^0x(?:76|78|7b)/;
const MEMBERS_MIN = 9;

/** The chain id of a signed or unsigned transaction whose type is in `OWN_TYPES`. Undefined for other bytes. */
export function ownTypeChainId(bytesHex: string): bigint | undefined {
  try {
    const members = listIn(readRlp(bytesHex.slice(4).toLowerCase()));
    return OWN_TYPES.test(bytesHex) && members.length >= MEMBERS_MIN ? integerIn(members[0]) : undefined;
  } catch {
    return undefined;
  }
}
