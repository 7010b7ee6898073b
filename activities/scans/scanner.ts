import type { ScannedBlock, ScanSource } from '../../chains/types';
import type { BlockPlace } from '../../entities/scans/scan.store';
import { createCoinLookup } from './coin-lookup';
import { createConfirmations } from './confirmations';
import type { EarlierCoins } from './earlier-coins';
import { createLedger, lastOf, type Progress } from './ledger';
import { type AssetLookup, matchesIn } from './matches';
import { nextBlocks } from './next-blocks';
import { createScannedAddresses } from './scanned-addresses';

type Dependencies = Parameters<typeof createConfirmations>[0] & {
  readonly source: ScanSource;
  readonly assetOf: AssetLookup;
  /** Absent where blocks name the sender of each payment. */
  readonly earlierCoins?: EarlierCoins | undefined;
};

/** `isIdle` is true while no address is watched: then no block is read. */
export type ScanStep = { readonly isIdle: boolean; readonly behindBlocks: number; readonly pauseMs: number };
export type Scanner = { readonly step: () => Promise<ScanStep> };

/** The head is asked for about twenty times per block, within these bounds. */
const ASKED_PER_BLOCK = 20;
const PAUSE_MS_MIN = 250;
const PAUSE_MS_MAX = 1_000;

const CLOCKS_APART_MS = 60_000;
/** The first start of a network looks back at most this far. */
const START_BLOCKS_MAX = 16_384;

/**
 * Reads every block of a network once, for all organisations. After an error the next step begins with what the database has, so
 * a crash at any point loses nothing and doubles nothing.
 */
export function createScanner({ source, assetOf, earlierCoins, ...dependencies }: Dependencies): Scanner {
  const { db, watchList, network } = dependencies;
  const addresses = createScannedAddresses({ db, source, watchList, network, earlierCoins });
  const ledger = createLedger({ db, source, watchList, network: network.name });
  const coinsOf = createCoinLookup({ db, watchList, network: network.name });
  const confirm = createConfirmations({ ...dependencies, source });
  let progress: Progress | undefined;
  let seen: BlockPlace | undefined;

  async function step(): Promise<ScanStep> {
    if (progress === undefined && !(await addresses.load())) return { isIdle: true, behindBlocks: 0, pauseMs: PAUSE_MS_MAX };
    const head = await source.head();
    if (progress && seen?.hash === head.hash && lastOf(progress).height >= head.height) return stepOf(progress, 0);
    progress ??= (await ledger.resume()) ?? (await ledger.begin(await startFor(source, head, addresses.oldestMs())));
    // Addresses are loaded before the blocks are read, so from the next block on they are complete.
    await addresses.load();
    const last = lastOf(progress);
    await addresses.noteLive(last.height + 1);
    const blocks = await nextBlocks(source, progress, head);
    if ('fork' in blocks) {
      await ledger.leaveFork(progress, blocks.fork);
      progress = undefined;
      return { isIdle: false, behindBlocks: 1, pauseMs: 0 };
    }
    if (blocks.length > 0) {
      const matches = await matchesIn(blocks, { network, isWatched: addresses.isWatched, watchList, coinsOf, assetOf });
      const read = await ledger.record({ last, blocks, matches, headHeight: head.height });
      progress = { ...progress, blocks: [...progress.blocks, ...read] };
    }
    progress = await confirm(progress, head.height);
    seen = head;
    return stepOf(progress, Math.max(0, head.height - lastOf(progress).height));
  }

  return {
    step: async () => {
      try {
        return await step();
      } catch (error) {
        progress = undefined;
        throw error;
      }
    },
  };
}

/**
 * The last block before the first address became known: payments to it may be in blocks since then. Block times and the clock of
 * the database may differ by the margin.
 */
async function startFor(source: ScanSource, head: BlockPlace, oldestMs: number | undefined): Promise<BlockPlace> {
  if (oldestMs === undefined) return head;
  let start = await blockUpTo(source, head.height);
  for (
    let back = 1;
    start && start.height > 0 && start.date.getTime() > oldestMs - CLOCKS_APART_MS && back <= START_BLOCKS_MAX;
    back *= 2
  )
    start = await blockUpTo(source, Math.max(0, head.height - back));
  return start ?? head;
}

/** The block at this height, or the one before if the height has none. */
async function blockUpTo(source: ScanSource, height: number): Promise<ScannedBlock | undefined> {
  for (let at = height; at >= 0; at -= 1) {
    const block = await source.block(at);
    if (block !== 'Skipped') return block;
  }
  return undefined;
}

function stepOf({ blocks }: Progress, behindBlocks: number): ScanStep {
  const [first, last] = [blocks[0], blocks.at(-1)];
  const blockMs = first && last && last !== first ? (last.date.getTime() - first.date.getTime()) / (blocks.length - 1) : 0;
  const pauseMs = Math.min(PAUSE_MS_MAX, Math.max(PAUSE_MS_MIN, blockMs / ASKED_PER_BLOCK));
  return { isIdle: false, behindBlocks, pauseMs: behindBlocks > 0 ? 0 : pauseMs };
}
