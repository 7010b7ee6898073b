import { z } from 'zod';
import type { Rpc } from '../rpc/rpc';
import { Coins, Hex, nodeTrouble, UtxoHash, unlessUnknown } from './rpc-schemas';
import type { UtxoReader } from './types';

const PREVIOUS_AT_ONCE = 16;

/**
 * `fee` is present only if the transaction spends coins of the wallet. `confirmations` is negative if another transaction in a
 * block spends the same coins.
 */
const TransactionReply = z.object({ txid: UtxoHash, hex: Hex, fee: Coins.optional(), confirmations: z.int() });
/** Older nodes, and nodes of Dogecoin, have the fees of descendants and ancestors in separate members and in smallest units. */
const FeesReply = z.union([
  z.object({ fees: z.object({ descendant: Coins, ancestor: Coins }) }).transform(({ fees }) => fees),
  z
    .object({ descendantfees: z.int().min(0).transform(BigInt), ancestorfees: z.int().min(0).transform(BigInt) })
    .transform(({ descendantfees, ancestorfees }) => ({ descendant: descendantfees, ancestor: ancestorfees })),
]);
const WaitingReply = z.object({ descendantcount: z.int().min(1), ancestorsize: z.int().min(1) }).and(FeesReply);

export function createNodeTransactions(network: string, rpc: Rpc) {
  const find = unlessUnknown(network, rpc);
  const transaction = (txid: string) => find('gettransaction', [txid, true], TransactionReply);

  /**
   * Selects the transactions that spend coins of the wallet. The flag `safe` of `listunspent` is not used: a wallet without
   * descriptors never sets this flag for change that the wallet only watches.
   */
  const spentByUs = async (txids: readonly string[]): Promise<ReadonlySet<string>> => {
    const found = await Promise.all([...new Set(txids)].map(transaction));
    return new Set(found.flatMap((reply) => (reply?.fee === undefined ? [] : [reply.txid])));
  };

  const previous: UtxoReader['previousTransactions'] = async (txids) => {
    const found = new Map<string, string>();
    const wanted = [...new Set(txids)];
    for (let at = 0; at < wanted.length; at += PREVIOUS_AT_ONCE) {
      const asked = wanted.slice(at, at + PREVIOUS_AT_ONCE);
      const replies = await Promise.all(asked.map(transaction));
      for (const [index, reply] of replies.entries()) {
        const txid = asked[index];
        if (!reply || txid === undefined)
          throw nodeTrouble(network, `The node of ${network} does not have a transaction whose coin it listed`);
        found.set(txid, reply.hex);
      }
    }
    return found;
  };

  const standing: UtxoReader['standing'] = async (txid) => {
    const known = await transaction(txid);
    if (known && known.confirmations !== 0) return { kind: known.confirmations > 0 ? 'Included' : 'Beaten' };
    const waiting = await find('getmempoolentry', [txid], WaitingReply);
    if (!waiting) return { kind: 'Nowhere' };
    const { descendantcount: dependents, descendant: feeUnits, ancestor, ancestorsize } = waiting;
    return { kind: 'Waiting', dependents, feeUnits, ancestry: { vbytes: BigInt(ancestorsize), feeUnits: ancestor } };
  };

  return { spentByUs, previous, standing };
}
