import type { NetworkName } from '../domain/networks';
import { createEvmCodec } from './evm/codec';
import { chainIdIn, completeTypedData, isEvmTransaction, signedAuthorization } from './evm/payloads';
import { assertCommitsTo } from './evm/smart-account';
import type { EvmCodec } from './evm/types';
import { DELEGATE } from './evm/user-operations';
import { variantOf } from './evm/variants';
import type { EvmVariantSlots } from './evm/variants/slots';
import { inFamily, madeFor, type OfEachFamily } from './families';
import { networkOf } from './networks';
import { createSolanaCodec } from './solana/codec';
import { isSolanaTransaction } from './solana/encoding';
import type { SolanaCodec } from './solana/types';
import type { Codec } from './types';
import { createUtxoCodec } from './utxo/codec';
import { isUtxoTransaction } from './utxo/payloads';
import type { UtxoCodec } from './utxo/types';

/** A codec is created on first use, so that a process creates only the codecs of the networks that it serves. */
const codecs = new Map<NetworkName, Codec>();

const CODECS: OfEachFamily<Codec> = {
  evm: createEvmCodec,
  solana: createSolanaCodec,
  utxo: createUtxoCodec,
};

/** Every network in `NETWORKS` has a codec, even a network without a node. */
export function codecOf(name: NetworkName): Codec {
  const known = codecs.get(name);
  if (known) return known;
  const codec = madeFor(CODECS, networkOf(name));
  codecs.set(name, codec);
  return codec;
}

/** Throws `AssetNotSupported` if the network belongs to a different family. */
export const evmCodecOf = (name: NetworkName): EvmCodec => inFamily('evm', codecOf(name));

/** Throws `AssetNotSupported` if the network belongs to a different family. */
export const evmVariantOf = (name: NetworkName): EvmVariantSlots => variantOf(inFamily('evm', networkOf(name)));

/** Throws `AssetNotSupported` if the network belongs to a different family. */
export const solanaCodecOf = (name: NetworkName): SolanaCodec => inFamily('solana', codecOf(name));

/** Throws `AssetNotSupported` if the network belongs to a different family. */
export const utxoCodecOf = (name: NetworkName): UtxoCodec => inFamily('utxo', codecOf(name));

/** True if the bytes are a PSBT, or a signed or unsigned transaction of the Bitcoin family (S12). */
export { isUtxoTransaction };

/** These functions are the same on all EVM networks. */
export const evmPayloads = {
  assertCommitsTo,
  chainIdIn,
  completeTypedData,
  isEvmTransaction,
  signedAuthorization,
  /** A request that combines calls of an account with an authorization (EIP-7702) may authorise only this contract. */
  smartAccountDelegate: DELEGATE,
};

export const solanaPayloads = { isTransaction: isSolanaTransaction };
