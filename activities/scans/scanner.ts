import type { ScannedBlock, ScanSource } from '../../chains/types';
import type { BlockPlace, FirstPlace } from '../../entities/scans/scan.store';
import { createCoinLookup } from './coin-lookup';
import { createConfirmations } from './confirmations';
import type { EarlierCoins } from './earlier-coins';
import { createForeignSignatureCheck } from './foreign-signatures';
import { createLedger, lastOf, type Progress } from './ledger';
import { type AssetLookup, matchesIn } from './matches';
import { nextBlocks } from './next-blocks';
import { createScannedAddresses } from './scanned-addresses';

type Dependencies = Parameters<typeof createConfirmations>[0] &
  Pick<Parameters<typeof createForeignSignatureCheck>[0], 'signer' | 'onForeign'> & {
    readonly source: ScanSource;
    readonly assetOf: AssetLookup;
    /** Absent where blocks name the sender of each payment. */
    readonly earlierCoins?: EarlierCoins | undefined;
  };

/** `isIdle` is true while no address is watched. No block is read during that time. */
export type ScanStep = { readonly isIdle: boolean; readonly behindBlocks: number; readonly pauseMs: number };
export type Scanner = { readonly step: () => Promise<ScanStep> };

/** The scanner queries the head about twenty times per block, with pauses within these bounds. */
const ASKED_PER_BLOCK = 20;
const PAUSE_MS_MIN = 250;
const PAUSE_MS_MAX = 1_000;

/** The first start of a network looks back at most this far. A back-fill reads the rest for each older address. */
const START_BLOCKS_MAX = 16_384;

/**
 * Reads every block of a network once, for all organisations. After an error the next step continues from the rows in the
 * database, so a crash at any point neither loses nor repeats a movement.
 */
export function createScanner({ source, assetOf, earlierCoins, signer, onForeign, ...dependencies }: Dependencies): Scanner {
  const { db, watchList, network } = dependencies;
  const addresses = createScannedAddresses({ db, source, watchList, network, earlierCoins });
  const ledger = createLedger({ db, source, watchList, network: network.name });
  const checkSignatures = createForeignSignatureCheck({ db, watchList, signer, onForeign, source, network: network.name });
  const coinsOf = createCoinLookup({ db, watchList, network: network.name });
  const confirm = createConfirmations({ ...dependencies, source });
  let progress: Progress | undefined;
  let seen: BlockPlace | undefined;

  async function step(): Promise<ScanStep> {
    if (progress === undefined && !(await addresses.load())) return { isIdle: true, behindBlocks: 0, pauseMs: PAUSE_MS_MAX };
    const head = await source.head();
    if (progress && seen?.hash === head.hash && lastOf(progress).height >= head.height) return stepOf(progress, 0);
    progress ??= (await ledger.resume()) ?? (await ledger.begin(await startFor(source, head, addresses.oldestMs())));
    // Addresses are loaded before the blocks are read, so their movements are complete from the next block on.
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
      const { isWatched } = addresses;
      const { matches, logs, signatures } = await matchesIn(blocks, { network, isWatched, watchList, coinsOf, assetOf });
      // The signatures are checked before the blocks are recorded, so that a crash or an absent signer leaves no block unchecked.
      await checkSignatures(signatures);
      const read = await ledger.record({ last, blocks, matches, logs, headHeight: head.height });
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
 * The last block before the oldest address became known, because later blocks may contain payments to this address.
 */
async function startFor(source: ScanSource, head: BlockPlace, oldestMs: number | undefined): Promise<FirstPlace> {
  if (oldestMs === undefined) return head;
  let start = await blockUpTo(source, head.height);
  for (
    let back = 1;
    start && start.height > 0 && start.date.getTime() > oldestMs - source.dateLagMsMax && back <= START_BLOCKS_MAX;
    back *= 2
  )
    start = await blockUpTo(source, Math.max(0, head.height - back));
  return start ?? head;
}

/** The block at this height, or the nearest earlier block if the chain skipped this height. */
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
