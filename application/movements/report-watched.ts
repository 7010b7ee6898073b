import type { EventKind } from '../../domain/events';
import { isId } from '../../domain/ids';
import { addressWatchStore } from '../../entities/address-watches/address-watch.store';
import type { Tx } from '../../entities/database';
import { eventStore } from '../../entities/events/event.store';
import { addressWatchView } from '../address-watches/view';

type WatchedEvent = Extract<EventKind, `address_watch.${string}`>;

type Row = { readonly id: string; readonly subjectId: string; readonly network: string; readonly version: number };

/**
 * Emits one event per row of an active watch, in the transaction that has changed the rows. `viewOf` returns the members of the
 * event, without the watch and the network.
 */
export async function reportWatched<R extends Row>(
  tx: Tx,
  changed: readonly R[],
  kind: WatchedEvent,
  viewOf: (row: R) => object,
): Promise<void> {
  const rows = changed.filter(({ subjectId }) => isId('addressWatch', subjectId));
  if (rows.length === 0) return;
  const active = await addressWatchStore.activeAmong(tx, [...new Set(rows.map(({ subjectId }) => subjectId))]);
  const watches = new Map(active.map((watch) => [watch.id, addressWatchView(watch)]));
  const events = rows.flatMap((row) => {
    const addressWatch = watches.get(row.subjectId);
    if (!addressWatch) return [];
    const blockchainEvent = { addressWatchId: row.subjectId, network: row.network, ...viewOf(row) };
    return [{ kind, aggregateId: row.id, aggregateVersion: row.version, data: { blockchainEvent, addressWatch } }];
  });
  await eventStore.emitAll(tx, events);
}
