import { eventsIn } from '../../application/contract-events/logs';
import { recordContractEvents } from '../../application/contract-events/record';
import { recordMovements } from '../../application/movements/record';
import { NO_ORGANIZATION } from '../../application/wallets/assets';
import type { ScannedBlock, ScanSource } from '../../chains/types';
import { AppError, invariant } from '../../domain/errors';
import type { NetworkName } from '../../domain/networks';
import type { Database, Tx } from '../../entities/database';
import { type BlockPlace, type FirstPlace, type KeptBlock, type Scan, scanStore } from '../../entities/scans/scan.store';
import type { WatchList } from '../../entities/scans/watch-list';
import { during } from '../../platform/points';
import { byOrganization } from './by-organization';
import { createLeaving } from './leaving';
import type { LogMatch, Match } from './matches';

type Dependencies = {
  readonly db: Database;
  readonly source: ScanSource;
  readonly watchList: WatchList;
  readonly network: NetworkName;
};

type Recorded = {
  readonly last: BlockPlace;
  readonly blocks: readonly ScannedBlock[];
  readonly matches: readonly Match[];
  readonly logs: readonly LogMatch[];
  readonly headHeight: number;
};

/**
 * A stranger's contract can fill a block with transfers to one wallet. One database transaction for all these transfers would
 * take too long.
 */
const ROWS_AT_ONCE_MAX = 500;

function* inParts<T>(items: readonly T[]): Generator<readonly T[]> {
  for (let at = 0; at < items.length; at += ROWS_AT_ONCE_MAX) yield items.slice(at, at + ROWS_AT_ONCE_MAX);
}

/** How far the network has been read. `blocks` are the kept blocks that were read completely, oldest first. */
export type Progress = { readonly scan: Scan; readonly blocks: readonly KeptBlock[] };

export const lastOf = ({ scan, blocks }: Progress): BlockPlace => blocks.at(-1) ?? scan.folded;

/** Records the blocks of a network that were read, and removes the blocks that a reorganisation replaces. */
export function createLedger({ db, source, watchList, network }: Dependencies) {
  const shared = <T>(work: (tx: Tx) => Promise<T>) => db.withOrg(NO_ORGANIZATION, work);
  const leaving = createLeaving({ db, watchList, network });
  /** Whether a crash left blocks that are recorded in part. */
  let isInterrupted = false;
  const fault = (words: string) => new AppError('NetworkUnavailable', `${words} (${network})`, { network });

  /** Finishes work that a crash interrupted, and returns the progress. Undefined before the first start. */
  async function resume(): Promise<Progress | undefined> {
    const reader = db.read(NO_ORGANIZATION);
    const scan = await scanStore.find(reader, network);
    if (!scan) return undefined;
    await leaving.finish();
    const kept = await scanStore.keptBlocks(reader, network);
    // A block that was recorded only in part is read again, and is then completed or replaced.
    const partly = kept.findIndex(({ state }) => state !== 'Read');
    isInterrupted = partly !== -1;
    return { scan, blocks: partly === -1 ? kept : kept.slice(0, partly) };
  }

  return {
    /** Starts the scan after this block, unless another scanner has started the scan in the meantime. */
    async begin(last: FirstPlace): Promise<Progress> {
      await shared((tx) => scanStore.start(tx, network, last));
      const progress = await resume();
      invariant(progress, 'a scan has been started');
      return progress;
    },

    resume,

    /**
     * Writes the blocks, their movements and their other events, one organisation after another. The last step marks the blocks
     * as read.
     */
    async record({ last, blocks, matches, logs, headHeight }: Recorded): Promise<readonly KeptBlock[]> {
      const read = blocks.map(({ height, hash, parentHash, parentHeight, date, proof, sight }) => {
        const matched = matches.filter(({ mined }) => mined.block.height === height).length;
        return { height, hash, parentHash, parentHeight, date, proof, sight, matched, state: 'Read' as const };
      });
      const changed = () => fault('Another scanner has recorded other blocks');
      if (isInterrupted) await leaving.leaveReplaced(last, read);
      const found = { network, matches };
      if (!(await during('beginBlocks', found, () => shared((tx) => scanStore.begin(tx, network, last, read))))) throw changed();
      for (const [orgId, own] of byOrganization(matches)) {
        for (const some of inParts(own)) {
          const mined = some.map((one) => one.mined);
          const write = () => db.withOrg(orgId, (tx) => recordMovements(tx, network, read, mined));
          if (!(await during('recordMovements', { network, orgId }, write))) throw changed();
        }
      }
      for (const [orgId, own] of byOrganization(logs)) {
        const mined = own.map((one) => one.mined);
        for (const events of inParts(await eventsIn(db.read(orgId), network, mined)))
          if (!(await db.withOrg(orgId, (tx) => recordContractEvents(tx, network, read, events)))) throw changed();
      }
      const lastHeight = read.at(-1)?.height ?? last.height;
      await during('finishBlocks', found, () => shared((tx) => scanStore.finish(tx, network, lastHeight, headHeight)));
      return read;
    },

    /** `fork` is a block of the present chain. Removes the recorded blocks after the last recorded ancestor of `fork`. */
    async leaveFork(progress: Progress, fork: ScannedBlock): Promise<void> {
      await leaving.leaveFrom((await commonWith(source, progress, fork, fault)).height + 1);
    },
  };
}

/**
 * Follows the parents of a block of the present chain down to a block that was read. Throws if a node lacks a parent, because a
 * missing block does not prove that the block left the chain.
 */
async function commonWith(
  source: Pick<ScanSource, 'block'>,
  { scan, blocks }: Progress,
  fork: ScannedBlock,
  fault: (words: string) => AppError,
): Promise<BlockPlace> {
  const read = new Map<string, BlockPlace>([scan.folded, ...blocks].map((place) => [place.hash, place]));
  for (let block = fork; ; ) {
    const common = read.get(block.parentHash);
    if (common) return common;
    if (block.parentHeight <= scan.folded.height)
      throw fault(`The chain differs from the recorded blocks further back than the last ${blocks.length} blocks`);
    const parent = await source.block(block.parentHeight);
    if (parent === undefined || parent === 'Skipped' || parent.hash !== block.parentHash)
      throw fault('The nodes do not have the parent of a block');
    block = parent;
  }
}
