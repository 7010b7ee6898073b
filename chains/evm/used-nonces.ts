import { z } from 'zod';
import type { NetworkName } from '../../domain/networks';
import { quantityOf, type Rpc, RpcError, SmallQuantity } from '../rpc/rpc';
import type { WhyNever } from '../types';
import { keyedNonceIn } from './keyed-nonce-context';
import { keyedCountOf } from './variants/tempo-lanes';

const USED_ELSEWHERE =
  'A transaction that was not signed here has used this nonce, so the requested transaction was not executed. Another party may hold the key';

/**
 * Tells whether another transaction has irrevocably used the nonce of a signed transaction (S7). Every node must report a
 * transaction count above this nonce in a final block, and must not report a receipt. A second call must find the same facts,
 * because a node may be in the middle of a reorganisation during the first call.
 */
export function createUsedNonces(network: NetworkName, witnesses: readonly Rpc[], confirmations: number): WhyNever {
  const seen = new Set<string>();

  return async ({ txHash, fromAddress, nonce, context }) => {
    const keyed = keyedNonceIn(context);
    if ((nonce === null && keyed === undefined) || witnesses.length === 0) return undefined;
    const countAt: CountAt = async (witness, block) =>
      keyed === undefined
        ? witness('eth_getTransactionCount', [fromAddress, block], SmallQuantity)
        : keyedCountOf(witness, network, fromAddress, keyed.nonceKey, block);
    for (const witness of witnesses) {
      if (await isUsed(witness, { txHash, nonce: keyed?.nonce ?? nonce ?? 0, countAt }, confirmations)) continue;
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

type CountAt = (witness: Rpc, block: string) => Promise<number>;
type Nonce = { readonly txHash: string; readonly nonce: number; readonly countAt: CountAt };

async function isUsed(witness: Rpc, { txHash, nonce, countAt }: Nonce, confirmations: number): Promise<boolean> {
  try {
    const head = await witness('eth_blockNumber', [], SmallQuantity);
    const final = quantityOf(Math.max(0, head - confirmations + 1));
    // The receipt is read last: the transaction could be mined between the two reads.
    if ((await countAt(witness, final)) <= nonce) return false;
    return (await witness('eth_getTransactionReceipt', [txHash], z.unknown())) === null;
  } catch (error) {
    // A node that has pruned the state of that block proves nothing.
    if (error instanceof RpcError) return false;
    throw error;
  }
}
