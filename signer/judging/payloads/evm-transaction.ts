import { keccak_256 } from '@noble/hashes/sha3.js';
import { Transaction } from 'micro-eth-signer';
import { evmOwnTypeChainId } from '../../../chains/decoders';

const TYPES: ReadonlySet<string> = new Set(['legacy', 'eip2930', 'eip1559', 'eip7702']);

/** Fees are in wei. */
export type EvmTransaction = {
  readonly chainId: bigint;
  readonly nonce: bigint;
  readonly maxFeeUnits: bigint;
  readonly digest: Uint8Array;
};

/**
 * Reads an unsigned transaction of type 0 with a chain id (EIP-155), type 1 (EIP-2930), type 2 (EIP-1559) or type 4 (EIP-7702).
 * Returns undefined for other bytes and for a non-canonical encoding, which another decoder could read differently.
 */
export function decodeEvmTransaction(bytesHex: string): EvmTransaction | undefined {
  try {
    const tx = Transaction.fromHex(bytesHex);
    const { chainId, nonce } = tx.raw;
    if (!TYPES.has(tx.type) || tx.isSigned || chainId === undefined) return undefined;
    if (tx.toHex({ includeSignature: false }) !== bytesHex) return undefined;
    return { chainId, nonce, maxFeeUnits: tx.fee, digest: keccak_256(Buffer.from(bytesHex.slice(2), 'hex')) };
  } catch {
    return undefined;
  }
}

/** True for a signed or an unsigned transaction of any type. The signer never signs a transaction as a message (S12). */
export function looksLikeEvmTransaction(bytesHex: string): boolean {
  if (evmOwnTypeChainId(bytesHex) !== undefined) return true;
  try {
    Transaction.fromHex(bytesHex);
    return true;
  } catch {
    return false;
  }
}
