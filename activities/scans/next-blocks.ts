import type { ScannedBlock, ScanSource } from '../../chains/types';
import type { BlockPlace } from '../../entities/scans/scan.store';
import type { Progress } from './ledger';

type Next = readonly ScannedBlock[] | { readonly fork: ScannedBlock };

/**
 * The blocks after the last one that was read. `fork` is a block of the present chain whose parent is not the last block that
 * was read. A node whose head is below the last block is merely slow, unless its head differs from the block that was read at
 * that height.
 */
export async function nextBlocks(source: ScanSource, { blocks: read, scan }: Progress, head: BlockPlace): Promise<Next> {
  const last = read.at(-1) ?? scan.folded;
  if (head.height <= last.height) {
    const own = read.find(({ height }) => height === head.height);
    if (head.height <= scan.folded.height || own?.hash === head.hash) return [];
    const block = await source.block(head.height);
    return block === undefined || block === 'Skipped' || block.hash === own?.hash ? [] : { fork: block };
  }
  const blocks: ScannedBlock[] = [];
  for (let from = last.height + 1; from <= head.height && blocks.length === 0; from += source.blocksAtOnce) {
    const count = Math.min(head.height - from + 1, source.blocksAtOnce);
    for (const block of await Promise.all(Array.from({ length: count }, (_, index) => source.block(from + index)))) {
      if (block === undefined) return blocks;
      if (block === 'Skipped') continue;
      if (block.parentHash !== (blocks.at(-1) ?? last).hash) return blocks.length === 0 ? { fork: block } : blocks;
      blocks.push(block);
    }
  }
  return blocks;
}
