import type { NetworkName } from '../domain/networks';
import type { UserCall } from '../domain/transactions';
import { createEvmDecoder } from './evm/decoder';
import { effectOf } from './evm/decoder-calls';
import { readSmartAccount, smartAccountDelegate } from './evm/decoder-smart-account';
import { readTypedData } from './evm/decoder-typed-data';
import { ownTypeChainId } from './evm/decoder-variants';
import type { DecodedSmartAccount, EvmDecoder, Spend } from './evm/types';
import { inFamily, madeFor, type OfEachFamily } from './families';
import { networkOf } from './networks';
import { solanaDecoder } from './solana/decoder';
import type { SolanaDecoder } from './solana/types';
import type { Decoder, Effect } from './types';
import { createUtxoDecoder, isUtxoTransaction } from './utxo/decoder';
import type { UtxoDecoder } from './utxo/types';

const decoders = new Map<NetworkName, Decoder>();

/** A decoder checks the bytes that a codec built. This registry must never import a codec. */
export function decoderOf(name: NetworkName): Decoder {
  const known = decoders.get(name);
  if (known) return known;
  const decoder = madeFor(DECODERS, networkOf(name));
  decoders.set(name, decoder);
  return decoder;
}

const DECODERS: OfEachFamily<Decoder> = {
  evm: createEvmDecoder,
  solana: () => solanaDecoder,
  utxo: createUtxoDecoder,
};

/** Throws `AssetNotSupported` if the network belongs to a different family. */
export const evmDecoderOf = (name: NetworkName): EvmDecoder => inFamily('evm', decoderOf(name));

/** Throws `AssetNotSupported` if the network belongs to a different family. */
export const solanaDecoderOf = (name: NetworkName): SolanaDecoder => inFamily('solana', decoderOf(name));

/** Throws `AssetNotSupported` if the network belongs to a different family. */
export const utxoDecoderOf = (name: NetworkName): UtxoDecoder => inFamily('utxo', decoderOf(name));

/**
 * The tokens that others can take with a signature over this typed data (EIP-712, as JSON text). Undefined if the tokens cannot
 * be determined. Never throws.
 */
export const evmSpendsOf: (typedData: string) => readonly Spend[] | undefined = readTypedData;

/**
 * The account and its calls in typed data (EIP-712, as JSON text). Undefined if the account or the calls cannot be determined.
 * Never throws.
 */
export const evmSmartAccountOf: (typedData: string) => DecodedSmartAccount | undefined = readSmartAccount;

/** The asset that the call moves, if the bytes show it. */
export const evmUserEffectOf = (call: UserCall): Effect => effectOf({ ...call, authorizationList: [] });

/** The signer lets an account delegate (EIP-7702) only to this contract. */
export { smartAccountDelegate };

/**
 * The chain id in a signed or unsigned EVM transaction of a type that only some networks have. Undefined for all other bytes.
 * Never throws.
 */
export const evmOwnTypeChainId: (bytesHex: string) => bigint | undefined = ownTypeChainId;

/** True if the bytes are a PSBT, or a signed or unsigned transaction of the Bitcoin family (S12). */
export { isUtxoTransaction };

/** Never throws. */
export const isSolanaTransaction: SolanaDecoder['isTransaction'] = (bytesHex) => solanaDecoder.isTransaction(bytesHex);
