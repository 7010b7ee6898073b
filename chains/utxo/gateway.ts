import { z } from 'zod';
import { AppError } from '../../domain/errors';
import { type Rpc, RpcError } from '../rpc/rpc';
import type { BroadcastOutcome, Gateway, NetworkBase, Receipt } from '../types';
import { outcomeOf } from './broadcast-errors';
import { Height, neverRefused, UtxoHash, unlessUnknown } from './rpc-schemas';
import { createSpentCoins } from './spent-coins';

const RECEIPTS_AT_ONCE = 16;

const HeaderReply = z.object({ hash: UtxoHash, height: Height });
const BlockReply = HeaderReply.extend({ previousblockhash: UtxoHash.optional(), tx: z.array(UtxoHash) });
const TransactionReply = z.object({
  txid: UtxoHash,
  /**
   * If the number is negative, another transaction has spent the same coins. The absolute value then counts the confirmations
   * of that other transaction.
   */
  confirmations: z.int(),
  blockhash: UtxoHash.optional(),
  blockheight: Height.optional(),
});
/** The first block has no parent. */
const NO_BLOCK = '0'.repeat(64);

type Followed = Pick<NetworkBase, 'name' | 'confirmations'>;

/**
 * The outcomes come from the node's watch-only wallet, which knows our transactions. `witnesses` contains one `Rpc` for each
 * node, because all nodes must confirm that a coin is spent.
 */
export function createUtxoGateway({ name: network, confirmations }: Followed, rpc: Rpc, witnesses: readonly Rpc[]): Gateway {
  const ask = neverRefused(network, rpc);
  const find = unlessUnknown(network, rpc);
  const transaction = (txHash: string) => find('gettransaction', [txHash, true], TransactionReply);

  const isKnown = async (txHash: string): Promise<boolean> => {
    const known = await transaction(txHash);
    if (known && known.confirmations > 0) return true;
    // The wallet also remembers transactions that its node has dropped, so the node's memory pool is queried.
    return (await find('getmempoolentry', [txHash], z.unknown())) !== undefined;
  };

  return {
    isKnown,
    whyNever: createSpentCoins(network, witnesses, confirmations),

    async broadcast(rawHex, txHash): Promise<BroadcastOutcome> {
      try {
        if ((await rpc('sendrawtransaction', [rawHex], UtxoHash)) === txHash) return 'Accepted';
      } catch (error) {
        if (!(error instanceof RpcError)) throw error;
        const outcome = outcomeOf(error);
        // Once our transaction is in a block, its coins are spent, so nodes refuse the transaction if it is sent again.
        if (outcome === 'AlreadyKnown' || !(await isKnown(txHash))) return outcome;
        return 'AlreadyKnown';
      }
      throw new AppError('NetworkUnavailable', `The node of ${network} answered with another transaction's id`, { network });
    },

    async head() {
      // If several nodes are asked, the lowest height is returned, so every one of these nodes has a block at this height.
      const height = await ask('getblockcount', [], Height);
      return { height, hash: await ask('getblockhash', [height], UtxoHash) };
    },

    async block(height) {
      const hash = await find('getblockhash', [height], UtxoHash);
      if (hash === undefined) return undefined;
      const block = await ask('getblock', [hash, 1], BlockReply);
      return { height: block.height, hash: block.hash, parentHash: block.previousblockhash ?? NO_BLOCK, txHashes: block.tx };
    },

    async receipts(txHashes) {
      const found = new Map<string, Receipt>();
      for (let at = 0; at < txHashes.length; at += RECEIPTS_AT_ONCE) {
        const asked = txHashes.slice(at, at + RECEIPTS_AT_ONCE);
        for (const [index, reply] of (await Promise.all(asked.map(transaction))).entries()) {
          if (!reply || reply.confirmations < 1) continue;
          const { txid, blockhash } = reply;
          // Older nodes, and nodes of Bitcoin Cash, report only the block's hash.
          const height = reply.blockheight ?? (blockhash && (await ask('getblockheader', [blockhash], HeaderReply)).height);
          if (txid !== asked[index] || blockhash === undefined || typeof height !== 'number') {
            const message = `The node of ${network} does not name the block of ${asked[index]}`;
            throw new AppError('NetworkUnavailable', message, { network });
          }
          // In this family, a transaction in a block always takes effect. The wallet's fee is not used, because the wallet
          // ignores the coins of others.
          found.set(txid, { height, blockHash: blockhash, success: true, feeUnits: null });
        }
      }
      return found;
    },
  };
}
