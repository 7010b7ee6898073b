import type { Block, BlockBody, BlockRef, Gateway } from '../../../chains/types';
import type { BlockShelf } from '../../block-shelves';

/** `isAgreed` is false if the block has not been read from as many nodes as the configuration demands. */
export type FollowedBlock = Block & { readonly isAgreed: boolean };
type Read = FollowedBlock & Pick<Partial<BlockBody>, 'parentHeight'>;

type Shelf = Pick<BlockShelf, 'kept' | 'body'>;
type Sources = { readonly gateway: Pick<Gateway, 'block'>; readonly shelf?: Shelf | undefined };

/** Beyond this number of new blocks, the follower queries the receipts of open payloads instead of each block. */
const CATCH_UP_BLOCKS_MAX = 200;

async function read({ gateway, shelf }: Sources, place: BlockRef): Promise<Read | undefined> {
  const body = await shelf?.body(place);
  if (body) return { ...body, isAgreed: false };
  const block = await gateway.block(place.height);
  return block?.hash === place.hash ? { ...block, isAgreed: true } : undefined;
}

const parentOf = ({ height, parentHash, parentHeight = height - 1 }: Read): BlockRef => ({
  height: parentHeight,
  hash: parentHash,
});

/**
 * The blocks after `from`, oldest first. Undefined if the head might not descend from `from`, or is too far away. The search
 * goes from the head to its parents and requests each block by its hash, so that a block on a different branch is never taken.
 */
export async function blocksAfter(
  sources: Sources,
  from: BlockRef,
  head: BlockRef,
): Promise<readonly FollowedBlock[] | undefined> {
  if (head.height < from.height || head.height - from.height > CATCH_UP_BLOCKS_MAX) return undefined;
  const blocks: FollowedBlock[] = [];
  for (let at = head; at.hash !== from.hash; ) {
    // The two bounds end the search if the parents that a node reports form a circle.
    const isPossible = at.height > from.height && blocks.length < CATCH_UP_BLOCKS_MAX;
    const block = isPossible ? await read(sources, at) : undefined;
    if (!block) return undefined;
    blocks.push(block);
    at = parentOf(block);
  }
  return blocks.reverse();
}

/** The head and its ancestors that the scanner has put on the shelf, without a gap. Oldest first. */
export function shelvedBlocks(shelf: Shelf | undefined, head: BlockRef): readonly FollowedBlock[] {
  const blocks: FollowedBlock[] = [];
  for (let body = shelf?.kept(head.hash); body && blocks.length < CATCH_UP_BLOCKS_MAX; body = shelf?.kept(body.parentHash))
    blocks.push({ ...body, isAgreed: false });
  return blocks.reverse();
}
