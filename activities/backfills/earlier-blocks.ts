import type { Gateway, ScannedBlock, ScanSource } from '../../chains/types';
import { AppError } from '../../domain/errors';
import type { NetworkName } from '../../domain/networks';
import type { BlockPlace } from '../../entities/scans/scan.store';

type Sources = {
  readonly network: NetworkName;
  readonly source: Pick<ScanSource, 'block' | 'blocksAtOnce'>;
  /** Reads a block from as many nodes as the configuration demands (S7). */
  readonly gateway: Pick<Gateway, 'block'>;
};

/** The blocks are sorted, newest first. `next` is the parent of the oldest block. */
export type EarlierBlocks = { readonly blocks: readonly ScannedBlock[]; readonly next: BlockPlace };

/** Validators of Solana never skip so many heights. */
const SKIPPED_MAX = 1_000;

/** The parent of the first block of a chain has the height -1. */
const parentOf = ({ height, parentHeight, parentHash }: ScannedBlock): BlockPlace => ({
  height: Math.min(parentHeight, height - 1),
  hash: parentHash,
});

/** Reads blocks from newer to older. Each block identifies its parent by hash, so no block can be left out or replaced. */
export function createEarlierBlocks({ network, source, gateway }: Sources) {
  const fault = (words: string) => new AppError('NetworkUnavailable', words, { network });

  return {
    /**
     * Where a back-fill starts: at the parent of the first block from `liveFrom` on. Several nodes must agree on the first
     * block, because its hash commits to all earlier blocks. Undefined while the first block is not final.
     */
    async placeBelow(liveFrom: number, confirmedHeight: number): Promise<BlockPlace | undefined> {
      for (let height = liveFrom; height <= confirmedHeight; height += 1) {
        if (height - liveFrom > SKIPPED_MAX) throw fault(`The nodes of ${network} have no block from ${liveFrom} to ${height}`);
        const block = await source.block(height);
        if (block === undefined) throw fault(`The nodes of ${network} do not have block ${height}`);
        if (block === 'Skipped') continue;
        if ((await gateway.block(height))?.hash !== block.hash)
          throw fault(`The nodes of ${network} do not agree on block ${height}`);
        return parentOf(block);
      }
      return undefined;
    },

    /**
     * The block at this place and the blocks before it, but none below the height `floor`. Throws `NetworkUnavailable` if the
     * nodes do not have the block at this place.
     */
    async from(place: BlockPlace, floor: number): Promise<EarlierBlocks> {
      const count = Math.max(1, Math.min(source.blocksAtOnce, place.height - floor + 1));
      const read = await Promise.allSettled(Array.from({ length: count }, (_, index) => source.block(place.height - index)));
      const blocks: ScannedBlock[] = [];
      let next = place;
      for (const [index, one] of read.entries()) {
        // The parent's hash proves that the heights in between have no block.
        if (place.height - index !== next.height) continue;
        const block = one.status === 'fulfilled' ? one.value : undefined;
        if (block === undefined || block === 'Skipped' || block.hash !== next.hash) {
          if (blocks.length > 0) break;
          if (one.status === 'rejected') throw one.reason;
          throw fault(`The nodes of ${network} do not have block ${next.height} with the hash that its child names`);
        }
        blocks.push(block);
        next = parentOf(block);
      }
      return { blocks, next };
    },
  };
}
