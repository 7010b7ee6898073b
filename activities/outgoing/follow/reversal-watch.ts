import { moveFinal, reverse } from '../../../application/outgoing/end/reverse';
import { watchedDepthOf } from '../../../chains/networks';
import type { BlockRef, Gateway, Network, Receipt } from '../../../chains/types';
import type { Database } from '../../../entities/database';
import type { FinalBlock, FinalPayload, OpenPayloads } from '../../../entities/outgoing/open-payloads';
import { outgoingStore } from '../../../entities/outgoing/outgoing.store';
import { type ReceiptConsistency, receiptsOf } from './receipt-consistency';

type Dependencies = {
  readonly db: Database;
  readonly gateway: Gateway;
  readonly openPayloads: Pick<OpenPayloads, 'anyFinal' | 'finalBlocks' | 'finalIn'>;
  readonly network: Network;
  readonly doubts: Pick<ReceiptConsistency, 'agreedAt' | 'inTheirBlocks'>;
  readonly onReversed: (transferIds: readonly string[]) => void;
};

/**
 * Whether a third party's transaction executed the payload's user operation (`operationHash`) or used the operation's nonce. If
 * the chain contains such a transaction now, `carriedOutBy` identifies the transaction. If the chain contained such a
 * transaction before the reorganisation, the row's `txHash` is not the payload's. In both cases the payload is treated as
 * undone, and its transfer is settled again.
 */
async function isOfOthers(db: Database, { orgId, transferId, txHash, operationHash }: FinalPayload, { carriedOutBy }: Receipt) {
  if (operationHash === null) return false;
  return carriedOutBy !== undefined || (await outgoingStore.find(db.read(orgId), transferId))?.txHash !== txHash;
}

export type ReversalWatch = {
  /** Whether a final payload must still be watched. The last known head decides which blocks are watched. */
  readonly isDue: () => Promise<boolean>;
  /**
   * `isBroken` means that the new head might not descend from the last head, so all blocks are compared again. Returns whether
   * any block must still be watched.
   */
  readonly look: (head: BlockRef, isBroken: boolean) => Promise<boolean>;
};

/** The node must report a different block at the same height for this long before a transfer is reopened. */
const BELIEVED_AFTER_MS = 10_000;

/**
 * Watches final payloads for reorganisations deeper than finality (S14). While each new head descends from the last known head,
 * blocks that were compared before are not compared again.
 */
export function createReversalWatch({ db, gateway, openPayloads, network, doubts, onReversed }: Dependencies): ReversalWatch {
  const depth = watchedDepthOf(network);
  let last: (BlockRef & { readonly isWatching: boolean }) | undefined;
  let standing = new Set<string>();
  const suspectedAt = new Map<string, number>();

  const watchedFrom = (height: number | undefined) => (height === undefined ? 0 : Math.max(0, height - depth + 1));

  /** Returns the payloads that the chain no longer contains, or contains with a different outcome. */
  const undoneOf = async (payloads: readonly FinalPayload[]): Promise<readonly FinalPayload[]> => {
    const receipts = await receiptsOf(gateway, payloads);
    const undone: FinalPayload[] = [];
    for (const payload of payloads) {
      const receipt = receipts.get(payload.txHash);
      if (!receipt || receipt.success !== payload.includedSuccess || (await isOfOthers(db, payload, receipt)))
        undone.push(payload);
      else if ((await doubts.inTheirBlocks([{ payload: { ...payload, state: 'Included' }, receipt }])).length > 0)
        await moveFinal(db, payload, { height: receipt.height, hash: receipt.blockHash });
    }
    return undone;
  };

  const isOutlasted = (key: string): boolean => {
    const now = performance.now();
    const since = suspectedAt.get(key) ?? now;
    suspectedAt.set(key, since);
    return now - since >= BELIEVED_AFTER_MS;
  };

  const judge = async (block: FinalBlock, key: string): Promise<void> => {
    const found = await doubts.agreedAt(block.height);
    if (found?.hash === block.hash) {
      suspectedAt.delete(key);
      standing.add(key);
      return;
    }
    // A node without a block at this height may be slower than other nodes.
    if (!found || !isOutlasted(key)) return;
    const undone = await undoneOf(await openPayloads.finalIn(network.name, block));
    suspectedAt.delete(key);
    if (undone.length === 0) return;
    const reopened = await reverse(db, block.orgId, undone);
    if (reopened.length > 0) onReversed(reopened);
  };

  return {
    isDue: () => openPayloads.anyFinal(network.name, watchedFrom(last?.height)),

    look: async (head, isBroken) => {
      if (last?.hash === head.hash && !isBroken && suspectedAt.size === 0) return last.isWatching;
      const blocks = await openPayloads.finalBlocks(network.name, watchedFrom(head.height));
      const keys = new Map(blocks.map((block) => [`${block.orgId} ${block.height} ${block.hash}`, block]));
      standing = new Set(isBroken ? [] : [...standing].filter((key) => keys.has(key)));
      for (const key of suspectedAt.keys()) if (!keys.has(key)) suspectedAt.delete(key);
      for (const [key, block] of keys) if (!standing.has(key)) await judge(block, key);
      last = { ...head, isWatching: blocks.length > 0 };
      return last.isWatching;
    },
  };
}
