import { z } from 'zod';
import { quantityOf, type Rpc, RpcError, SmallQuantity } from '../rpc/rpc';
import type { WhyNever } from '../types';

const USED_ELSEWHERE =
  'The chain has used this nonce for another transaction, which was not signed here; this one was not carried out. Somebody else may have the key';

/**
 * Whether the nonce of a transaction was finally used by another one (S7). Every node must say that the sender's count was above it as many blocks
 * ago as finality takes, and that it has no receipt; all of them are asked once more at a later look, because one may just be reorganised.
 */
export function createUsedNonces(witnesses: readonly Rpc[], confirmations: number): WhyNever {
  const seen = new Set<string>();

  return async ({ txHash, fromAddress, nonce }) => {
    if (nonce === null || witnesses.length === 0) return undefined;
    for (const witness of witnesses) {
      if (await isUsed(witness, { txHash, fromAddress, nonce }, confirmations)) continue;
      seen.delete(txHash);
      return undefined;
    }
    if (!seen.has(txHash)) {
      seen.add(txHash);
      return undefined;
    }
    seen.delete(txHash);
    return { reason: USED_ELSEWHERE, isForeign: true };
  };
}

type Nonce = { readonly txHash: string; readonly fromAddress: string; readonly nonce: number };

async function isUsed(witness: Rpc, { txHash, fromAddress, nonce }: Nonce, confirmations: number): Promise<boolean> {
  try {
    const head = await witness('eth_blockNumber', [], SmallQuantity);
    const final = quantityOf(Math.max(0, head - confirmations + 1));
    // The count first and then the receipt: the other way round the transaction could have come between.
    if ((await witness('eth_getTransactionCount', [fromAddress, final], SmallQuantity)) <= nonce) return false;
    return (await witness('eth_getTransactionReceipt', [txHash], z.unknown())) === null;
  } catch (error) {
    // A node that has forgotten the state of that block proves nothing.
    if (error instanceof RpcError) return false;
    throw error;
  }
}
