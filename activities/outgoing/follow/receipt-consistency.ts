import type { Found } from '../../../application/outgoing/end/settle';
import type { Block, Gateway, Receipt } from '../../../chains/types';
import type { OpenPayload } from '../../../entities/outgoing/open-payloads';
import type { FollowedBlock } from './new-blocks';

export type ReceiptConsistency = {
  /**
   * `undefined` means that the blocks since the last poll are unknown. All kept blocks are then discarded, because later blocks
   * would not connect to the kept blocks.
   */
  readonly learn: (blocks: readonly FollowedBlock[] | undefined) => void;
  /** The block at this height on which as many nodes agree as the configuration demands (S7). */
  readonly agreedAt: (height: number) => Promise<Block | undefined>;
  /**
   * Returns the receipts whose block is the node's block at the receipt's height and contains the transaction. If `isFinal` is
   * true for a receipt, as many nodes as the configuration demands must agree on the block. By default this applies to all
   * receipts.
   */
  readonly inTheirBlocks: (found: readonly Found[], isFinal?: (one: Found) => boolean) => Promise<readonly Found[]>;
  /**
   * Takes included payloads that now have no receipt. Returns the payloads whose recorded block is no longer the node's block
   * at the recorded height.
   */
  readonly outOfTheirBlocks: (payloads: readonly OpenPayload[]) => Promise<readonly OpenPayload[]>;
  /** Takes receipts whose block is not recorded yet. Returns the receipts that a second query repeats. */
  readonly saidTwice: (found: readonly Found[]) => Promise<readonly Found[]>;
  /**
   * Takes receipts whose outcome differs from the recorded outcome. Returns the receipts that the node has repeated
   * for `BELIEVED_AFTER_MS`.
   */
  readonly outlasted: (contradicting: readonly Found[]) => readonly Found[];
};

/** Must be at least `CATCH_UP_BLOCKS_MAX` of the follower, and at least the number of confirmations of every network. */
const BLOCKS_KEPT = 300;
/** The follower believes a changed outcome only after the node has repeated the outcome for this long. */
const BELIEVED_AFTER_MS = 30_000;

/** If a payload contains an operation, the receipt gives the outcome of the operation. */
export const receiptsOf = (
  gateway: Gateway,
  payloads: readonly Pick<OpenPayload, 'txHash' | 'operationHash'>[],
): Promise<Map<string, Receipt>> =>
  gateway.receipts(
    payloads.map(({ txHash }) => txHash),
    new Map(payloads.flatMap(({ txHash, operationHash }) => (operationHash === null ? [] : [[txHash, operationHash] as const]))),
  );

async function agreedIn(chain: Map<number, FollowedBlock>, gateway: Gateway, height: number): Promise<Block | undefined> {
  const known = chain.get(height);
  if (known?.isAgreed) return known;
  const block = await gateway.block(height);
  // A block on a different branch would not connect to the kept blocks.
  if (block && block.hash === known?.hash) chain.set(height, { ...block, isAgreed: true });
  return block;
}

/**
 * Double-checks a node's report that a transaction has ended. The service releases or writes off funds because of such a
 * report, and a node can be wrong for a while.
 */
export function createReceiptConsistency(gateway: Gateway): ReceiptConsistency {
  const chain = new Map<number, FollowedBlock>();
  const told = new Map<string, { readonly success: boolean; readonly sinceMs: number }>();

  const agreedAt = (height: number) => agreedIn(chain, gateway, height);
  const blocksAt = async (heights: readonly number[], agreed: ReadonlySet<number>) => {
    const blocks = new Map<number, Block | undefined>();
    for (const height of new Set(heights))
      blocks.set(height, (agreed.has(height) ? undefined : chain.get(height)) ?? (await agreedAt(height)));
    return blocks;
  };

  return {
    learn: (blocks) => {
      if (blocks === undefined) chain.clear();
      for (const block of blocks ?? []) {
        chain.set(block.height, block);
        for (const height of chain.keys()) if (height <= block.height - BLOCKS_KEPT) chain.delete(height);
      }
    },

    agreedAt,

    inTheirBlocks: async (found, isFinal = () => true) => {
      const agreed = new Set(found.filter(isFinal).map(({ receipt }) => receipt.height));
      const blocks = await blocksAt(
        found.map(({ receipt }) => receipt.height),
        agreed,
      );
      return found.filter(({ payload, receipt }) => {
        const block = blocks.get(receipt.height);
        const txHash = (receipt.isElsewhere && receipt.carriedOutBy) || payload.txHash;
        return block?.hash === receipt.blockHash && block.txHashes.includes(txHash);
      });
    },

    outOfTheirBlocks: async (payloads) => {
      const heights = payloads.flatMap(({ includedHeight }) => includedHeight ?? []);
      const blocks = await blocksAt(heights, new Set(heights));
      return payloads.filter(({ includedHeight, includedHash }) => blocks.get(includedHeight ?? -1)?.hash !== includedHash);
    },

    saidTwice: async (found) => {
      if (found.length === 0) return [];
      const again = await receiptsOf(
        gateway,
        found.map(({ payload }) => payload),
      );
      return found.filter(({ payload, receipt }) => {
        const second = again.get(payload.txHash);
        return second?.blockHash === receipt.blockHash && second.success === receipt.success;
      });
    },

    outlasted: (contradicting) => {
      const now = performance.now();
      const ids = new Set(contradicting.map(({ payload }) => payload.id));
      for (const id of told.keys()) if (!ids.has(id)) told.delete(id);
      return contradicting.filter(({ payload, receipt: { success } }) => {
        const known = told.get(payload.id);
        if (known?.success === success) return now - known.sinceMs >= BELIEVED_AFTER_MS;
        told.set(payload.id, { success, sinceMs: now });
        return false;
      });
    },
  };
}
