import { networkOf, whyNotBackfilled } from '../../chains/networks';
import type { Network } from '../../chains/types';
import type { AddressWatchEntity } from '../../entities/address-watches/address-watch.entity';
import { backfillStore, type NewBackfill } from '../../entities/backfills/backfill.store';
import type { Tx } from '../../entities/database';
import { type Dispatch, outboxStore } from '../../entities/outbox/outbox.store';
import type { WatchedAddressEntity } from '../../entities/scans/watched-address.entity';
import { watchedAddressStore } from '../../entities/scans/watched-address.store';
import { newId } from '../../platform/ids';
import { SCAN_ADDRESS } from '../../workflows/scan-address.messages';

const routingOf = ({ network }: Pick<NewBackfill, 'network'>): Dispatch['routing'] => ({
  ...{ workflow: SCAN_ADDRESS, network },
  summary: `Reads earlier blocks of ${network} for one address`,
});

/**
 * To start the workflow at once, the caller can pass the result to `tryNow` of the dispatcher after the commit. Returns
 * undefined if another back-fill for the subject is running.
 */
export async function startBackfill(tx: Tx, backfill: Omit<NewBackfill, 'id'>): Promise<Dispatch | undefined> {
  const id = newId('backfill');
  if (!(await backfillStore.add(tx, { id, ...backfill }))) return undefined;
  const start: Dispatch = { kind: 'start', aggregateId: id, dedupeKey: `start:${id}`, routing: routingOf(backfill) };
  await outboxStore.add(tx, start);
  return start;
}

/** Returns the routing that starts the workflow again; undefined if the back-fill has ended. */
export async function restartBackfill(tx: Tx, id: string): Promise<Dispatch['routing'] | undefined> {
  const row = await backfillStore.find(tx, id);
  return row?.status === 'Running' ? routingOf(row) : undefined;
}

/**
 * Records that the movements of these wallets and watches are complete from this block on. If this block is the first block of
 * the network that the service reads, starts a back-fill for each wallet and watch that existed before.
 */
export async function noteLive(
  tx: Tx,
  network: Network,
  subjectIds: readonly string[],
  from: { readonly fromHeight: number; readonly lagMs: number },
): Promise<void> {
  const late = await watchedAddressStore.noteLive(tx, network.name, subjectIds, from);
  if (whyNotBackfilled(network) !== undefined) return;
  for (const { subjectId, dateAdded } of late) {
    const range = { fromHeight: null, fromDate: dateAdded, joins: null };
    await startBackfill(tx, { subjectId, network: network.name, cause: 'LateStart', ...range, requestedBy: null });
  }
}

/**
 * Starts a back-fill for the time in which a watch was archived. `archived` is the row from before the watch became active again.
 * If archiving the watch stopped an earlier back-fill of this kind, the new back-fill includes the range of the stopped one.
 */
export async function backfillArchivedTime(
  tx: Tx,
  { id: subjectId, network }: Pick<AddressWatchEntity, 'id' | 'network'>,
  archived: Pick<WatchedAddressEntity, 'leftAt' | 'liveFrom'>,
): Promise<Dispatch | undefined> {
  if (archived.leftAt === null || whyNotBackfilled(networkOf(network)) !== undefined) return undefined;
  const last = await backfillStore.latestOf(tx, subjectId);
  const unfinished = last?.status === 'Stopped' && last.cause === 'Revived' ? last : undefined;
  const fromHeight = Math.min(Number(archived.leftAt) + 1, Number(unfinished?.fromHeight ?? Number.MAX_SAFE_INTEGER));
  return startBackfill(tx, {
    ...{ subjectId, network, cause: 'Revived', fromHeight: String(fromHeight), fromDate: null, requestedBy: null },
    joins: unfinished ? unfinished.joins : archived.liveFrom,
  });
}
