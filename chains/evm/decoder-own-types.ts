import { addr } from 'micro-eth-signer';
import { CELO_TYPE, type EvmCall, TEMPO_TYPE } from '../../domain/transactions';
import { callOf, effectOf, NUMBER_MAX, unreadableCall, with0x } from './decoder-calls';
import { readCelo } from './decoder-celo';
import { integerIn, listIn, readRlp } from './decoder-rlp';
import { readTempo } from './decoder-tempo';
import type { Call } from './decoder-transfers';
import type { DecodedCall, EvmNetwork } from './types';

/** First bytes of the types that Tempo and Celo have besides Ethereum's; 0x78 is what a fee payer of Tempo signs. */
const OWN_TYPES = /^0x(?:76|78|7b)/;
const MEMBERS_MIN = 9;

/** A call whose fee is paid in a token. Its own form is kept apart from whether the network takes that token. */
export function readCeloTransfer({ feeCurrencies = [] }: EvmNetwork, bytesHex: string): Call {
  const { accessList, gas, maxFeePerGas, tip, feeCurrency: taken, ...call } = readCelo(bytesHex);
  const known = feeCurrencies.find(({ contract }) => contract.toLowerCase() === with0x(taken));
  const opaque = [
    ...(accessList.length > 0 ? ['access list'] : []),
    ...(tip > maxFeePerGas ? ['tip'] : []),
    ...(known ? [] : ['fee currency']),
  ];
  return { ...call, maxFeeUnits: gas * maxFeePerGas, opaque, ...(known ? { feeCurrency: known.contract } : {}) };
}

export function readTempoTransfer(feeToken: string, bytesHex: string): Call {
  const { surplus, gas, maxFeePerGas, feeToken: taken, nonceKey, ...call } = readTempo(bytesHex);
  const opaque = with0x(taken) === feeToken.toLowerCase() ? surplus : [...surplus, 'fee token'];
  return { ...call, maxFeeUnits: gas * maxFeePerGas, opaque, ...(nonceKey === 0n ? {} : { nonceKey }) };
}

/** Raw transactions of these types; undefined for bytes of another one. Throws for what cannot be read. */
export function readOwnCall(network: EvmNetwork, bytesHex: string): DecodedCall | undefined {
  const { feeToken, feeCurrencies } = network;
  if (feeToken && bytesHex.startsWith('0x76')) return decoded(TEMPO_TYPE, readTempoTransfer(feeToken.contract, bytesHex));
  if (!feeCurrencies || !bytesHex.startsWith('0x7b')) return undefined;
  const { accessList } = readCelo(bytesHex);
  const { opaque, ...read } = readCeloTransfer(network, bytesHex);
  return decoded(CELO_TYPE, { ...read, opaque: opaque.filter((one) => one !== 'access list') }, accessList);
}

function decoded(
  type: EvmCall['type'],
  { chainId, nonce, to, value, data, maxFeeUnits, opaque, feeCurrency, nonceKey }: Call,
  accessList: readonly { readonly address: string; readonly storageKeys: readonly string[] }[] = [],
): DecodedCall {
  if (!/^[0-9a-f]{40}$/i.test(to)) return unreadableCall('contract creation');
  const read = callOf(type, {
    ...{ nonce, gasLimit: 0n, to: with0x(to), value, data },
    accessList: accessList.map(({ address, storageKeys }) => ({ address: with0x(address), storageKeys: [...storageKeys] })),
  });
  const call: EvmCall = {
    ...read,
    ...(feeCurrency === undefined ? {} : { feeCurrency: addr.addChecksum(feeCurrency) }),
    ...(type === TEMPO_TYPE ? { nonceKey: (nonceKey ?? 0n).toString() } : {}),
  };
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

/** The chain that bytes of these types name, signed or not; undefined for anything else. */
export function ownTypeChainId(bytesHex: string): bigint | undefined {
  try {
    const members = listIn(readRlp(bytesHex.slice(4).toLowerCase()));
    return OWN_TYPES.test(bytesHex) && members.length >= MEMBERS_MIN ? integerIn(members[0]) : undefined;
  } catch {
    return undefined;
  }
}
