import { type Basis, recordFailure, recordFound, recordStep, unavailableReason } from '../../application/backfills/record-step';
import { NO_ORGANIZATION } from '../../application/wallets/assets';
import type { Gateway } from '../../chains/types';
import { BACKFILL_BLOCKS_MAX } from '../../domain/backfills';
import type { BackfillEntity } from '../../entities/backfills/backfill.entity';
import { type BackfillEnd, backfillStore } from '../../entities/backfills/backfill.store';
import { type BlockPlace, scanStore } from '../../entities/scans/scan.store';
import type { WatchedAddressEntity } from '../../entities/scans/watched-address.entity';
import { watchedAddressStore } from '../../entities/scans/watched-address.store';
import { createEarlierBlocks, type EarlierBlocks } from './earlier-blocks';
import { createFoundMovements } from './found-movements';

type Dependencies = Parameters<typeof createFoundMovements>[0] & {
  readonly gateway: Pick<Gateway, 'block'>;
};

/** `waitMs` is zero if the next step can follow at once. */
export type BackfillStepResult = { readonly isOver: boolean; readonly waitMs: number };

/**
 * If no node has returned a block after this number of attempts (about ten minutes), the back-fill ends with a gap in the
 * history.
 */
const FAILURES_MAX = 15;
const FAILURE_WAIT_MS = 1_000;
const WAIT_MAX_MS = 60_000;
/** The interval between checks while the scanner has not read a block for the address, or while this block is not final. */
const NOT_FINAL_WAIT_MS = 15_000;
const MOVEMENTS_AT_ONCE_MAX = 500;

const OVER: BackfillStepResult = { isOver: true, waitMs: 0 };
const onward = (waitMs = 0): BackfillStepResult => ({ isOver: false, waitMs });

type Step = Basis & { readonly backfill: BackfillEntity; readonly address: WatchedAddressEntity; readonly liveFrom: number };

/**
 * Reads earlier blocks for one wallet or watch, going backwards from the first block that the scanner has read for the address.
 * The rows in the database are the only state, so a crash at any point neither loses nor repeats a movement.
 */
export function createBackfill({ gateway, ...dependencies }: Dependencies, orgId: string, id: string) {
  const { db, network, source } = dependencies;
  const earlier = createEarlierBlocks({ network: network.name, source, gateway });
  const movementsIn = createFoundMovements(dependencies, orgId);

  async function placeOf({ backfill: { nextHeight, nextHash }, liveFrom }: Step): Promise<BlockPlace | undefined> {
    const isAtPlace = nextHeight !== null && nextHash !== null && Number(nextHeight) === liveFrom - 1;
    if (isAtPlace) return { height: Number(nextHeight), hash: nextHash };
    const scan = await scanStore.find(db.read(NO_ORGANIZATION), network.name);
    return scan && earlier.placeBelow(liveFrom, scan.confirmedHeight);
  }

  /** Returns false if the rows have changed since the blocks were read. */
  async function record(step: Step, { blocks, next }: EarlierBlocks, end: BackfillEnd | undefined): Promise<boolean> {
    const mined = await movementsIn(blocks, step.address);
    for (let at = 0; at < mined.length; at += MOVEMENTS_AT_ONCE_MAX) {
      const some = mined.slice(at, at + MOVEMENTS_AT_ONCE_MAX);
      if (!(await db.withOrg(orgId, (tx) => recordFound(tx, network.name, step, some)))) return false;
    }
    const counts = {
      blocks: blocks.length,
      unproved: blocks.filter(({ proof }) => proof !== 'Root').length,
      untraced: blocks.filter(({ sight }) => sight === 'Transactions').length,
    };
    const joined = end?.status === 'Done' ? Number(step.backfill.joins ?? next.height + 1) : next.height + 1;
    const liveFrom = Math.min(next.height + 1, joined);
    return db.withOrg(orgId, (tx) => recordStep(tx, step, { top: step.liveFrom, next, ...counts, found: 0, liveFrom, end }));
  }

  async function read(step: Step): Promise<BackfillStepResult> {
    const place = await placeOf(step);
    if (place === undefined) return onward(NOT_FINAL_WAIT_MS);
    const { fromHeight, fromDate, top } = step.backfill;
    const lowest = Number(fromHeight ?? 0);
    const bound = Number(top ?? step.liveFrom) - BACKFILL_BLOCKS_MAX;
    const floor = Math.max(lowest, bound);
    const nothing: EarlierBlocks = { blocks: [], next: place };
    const found = place.height < floor ? nothing : await earlier.from(place, floor);
    const earliestMs = fromDate === null ? Number.NEGATIVE_INFINITY : fromDate.getTime() - source.dateLagMsMax;
    const isDone = found.next.height < lowest || found.blocks.some(({ date }) => date.getTime() < earliestMs);
    const atBound = found.next.height < bound ? AT_BOUND : undefined;
    const end = isDone ? DONE : atBound;
    return (await record(step, found, end)) && end ? OVER : onward();
  }

  async function fail(error: unknown): Promise<BackfillStepResult> {
    const reason = unavailableReason(error);
    // A failure is counted only if the nodes respond at all. Otherwise nothing is known about the block.
    const counts = await source.head().then(
      () => true,
      () => false,
    );
    const failures = await db.withOrg(orgId, (tx) => recordFailure(tx, { id }, { reason, counts, failuresMax: FAILURES_MAX }));
    if (failures >= FAILURES_MAX) return OVER;
    return onward(Math.min(WAIT_MAX_MS, FAILURE_WAIT_MS * 2 ** failures));
  }

  return {
    /** Reads at most `blocksAtOnce` blocks. */
    async step(): Promise<BackfillStepResult> {
      const reader = db.read(orgId);
      const backfill = await backfillStore.find(reader, id);
      if (backfill?.status !== 'Running') return OVER;
      const address = await watchedAddressStore.find(reader, backfill.subjectId);
      if (address?.liveFrom == null) return onward(NOT_FINAL_WAIT_MS);
      return read({ backfill, address, liveFrom: Number(address.liveFrom) }).catch(fail);
    },
  };
}

const DONE: BackfillEnd = { status: 'Done', reason: null };
const AT_BOUND: BackfillEnd = {
  status: 'Stopped',
  reason: `one back-fill reads at most ${BACKFILL_BLOCKS_MAX} blocks; another one continues from here`,
};
