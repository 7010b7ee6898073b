import { AppError } from '../domain/errors';
import type { NetworkName } from '../domain/networks';
import { evmDecoder } from './evm/decoder';
import { readTypedData } from './evm/decoder-typed-data';
import type { EvmDecoder, Spend } from './evm/types';
import { inFamily } from './families';
import { networkOf } from './networks';
import type { Decoder } from './types';

/** The second opinion on a network's bytes; this registry must never reach a codec. */
export function decoderOf(name: NetworkName): Decoder {
  const network = networkOf(name);
  switch (network.family) {
    case 'evm':
      return evmDecoder;
    default:
      throw new AppError('NetworkNotEnabled', `${network.name} has no decoder`);
  }
}

/** Throws `AssetNotSupported` for a network of another family. */
export const evmDecoderOf = (name: NetworkName): EvmDecoder => inFamily('evm', decoderOf(name));

/** What typed data of EIP-712, as JSON text, lets others take; never empty, and undefined where it cannot be told. Never throws. */
export const evmSpendsOf: (typedData: string) => readonly Spend[] | undefined = readTypedData;
