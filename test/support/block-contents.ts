import type { ChainSignature, ScannedBlock } from '../../chains/types';
import type { ChainMovement } from '../../domain/movements';

type IsWatched = (plain: string) => boolean;

/**
 * Returns the contents of a block that concern watched addresses, as if no watched address had received a coin in an earlier
 * block.
 */
const contentsOf = (block: ScannedBlock, isWatched: IsWatched) => block.contents(isWatched, async () => new Map());

export const blockMovements = async (block: ScannedBlock | undefined, isWatched: IsWatched): Promise<readonly ChainMovement[]> =>
  block ? (await contentsOf(block, isWatched)).movements : [];

export const blockSignatures = async (block: ScannedBlock, isWatched: IsWatched): Promise<readonly ChainSignature[]> =>
  (await contentsOf(block, isWatched)).signatures;
