import type { NetworkName } from '../domain/networks';
import { evmDecoder } from './evm/decoder';
import type { Decoder } from './types';

const DECODERS: Readonly<Record<NetworkName, Decoder>> = {
  Ethereum: evmDecoder,
  EthereumSepolia: evmDecoder,
};

/** The second opinion on a network's bytes; this registry must never reach a codec. */
export function decoderOf(network: NetworkName): Decoder {
  return DECODERS[network];
}
