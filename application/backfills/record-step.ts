import { AppError } from '../../domain/errors';
import type { NetworkName } from '../../domain/networks';
import type { BackfillEntity } from '../../entities/backfills/backfill.entity';
import { type BackfillEnd, type BackfillStep, backfillStore } from '../../entities/backfills/backfill.store';
import type { Tx } from '../../entities/database';
import type { WatchedAddressEntity } from '../../entities/scans/watched-address.entity';
import { watchedAddressStore } from '../../entities/scans/watched-address.store';
import { type MinedMovement, recordEarlierMovements } from '../movements/record';

/** The rows on which a step is based, as they were before the blocks of the step were read. */
export type Basis = {
  readonly backfill: Pick<BackfillEntity, 'id' | 'subjectId' | 'nextHeight'>;
  readonly address: Pick<WatchedAddressEntity, 'liveFrom' | 'dateAdded'>;
};

/**
 * True if the rows have not changed since the blocks were read. The rows change if the watch is archived or reactivated, or if
 * another process records a step. The locks prevent changes until the transaction ends.
 */
async function stillStands(tx: Tx, { backfill: { id, subjectId, nextHeight }, address }: Basis): Promise<boolean> {
  const now = await watchedAddressStore.lock(tx, subjectId);
  const held = await backfillStore.lock(tx, id);
  return (
    now?.isActive === true &&
    now.liveFrom === address.liveFrom &&
    now.dateAdded.getTime() === address.dateAdded.getTime() &&
    held?.status === 'Running' &&
    held.nextHeight === nextHeight
  );
}

/**
 * Writes movements of earlier blocks. Writes nothing and returns false if the basis has changed. A repeated call writes nothing.
 */
export async function recordFound(tx: Tx, network: NetworkName, basis: Basis, mined: readonly MinedMovement[]): Promise<boolean> {
  if (!(await stillStands(tx, basis))) return false;
  const found = await recordEarlierMovements(tx, network, mined, basis.address.dateAdded);
  if (found > 0) await backfillStore.addFound(tx, basis.backfill.id, found);
  return true;
}

/**
 * Records that all movements of the step are written, so the history is complete from the step's `liveFrom` on. Changes nothing
 * and returns false if the basis has changed.
 */
export async function recordStep(
  tx: Tx,
  basis: Basis,
  step: BackfillStep & { readonly liveFrom: number; readonly end: BackfillEnd | undefined },
): Promise<boolean> {
  if (!(await stillStands(tx, basis))) return false;
  const { id, subjectId } = basis.backfill;
  await watchedAddressStore.extendLive(tx, subjectId, step.liveFrom);
  await backfillStore.advance(tx, id, step);
  if (step.end) await backfillStore.end(tx, id, step.end);
  return true;
}

/**
 * Records why the next block could not be read. With `counts`, adds the failure to the number of failures in a row, because the
 * nodes were reachable. At `failuresMax`, the back-fill ends and the history keeps its gap. Returns the number of failures in a
 * row.
 */
export async function recordFailure(
  tx: Tx,
  { id }: Pick<BackfillEntity, 'id'>,
  { reason, counts, failuresMax }: { readonly reason: string; readonly counts: boolean; readonly failuresMax: number },
): Promise<number> {
  const failures = await backfillStore.noteFailure(tx, id, reason, counts);
  if (failures >= failuresMax) await backfillStore.end(tx, id, { status: 'Gap', reason });
  return failures;
}

/** The reason why the blocks could not be read, for people. Rethrows every error other than `NetworkUnavailable`. */
export function unavailableReason(error: unknown): string {
  if (error instanceof AppError && error.code === 'NetworkUnavailable') return error.message;
  throw error;
}
