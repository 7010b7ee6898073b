import type { NetworkName } from '../domain/networks';
import { evmDecoder } from './evm/decoder';
import { readTypedData } from './evm/decoder-typed-data';
import type { Decoder, Spend } from './types';

const DECODERS: Readonly<Record<NetworkName, Decoder>> = {
  Ethereum: evmDecoder,
  EthereumSepolia: evmDecoder,
};

/** The second opinion on a network's bytes; this registry must never reach a codec. */
export function decoderOf(network: NetworkName): Decoder {
  return DECODERS[network];
}

/** What typed data of EIP-712, as JSON text, lets others take; never empty, and undefined where it cannot be told. Never throws. */
export const evmSpendsOf: (typedData: string) => readonly Spend[] | undefined = readTypedData;
