import type { EventKind } from '../../domain/events';
import { isId } from '../../domain/ids';
import { addressWatchStore } from '../../entities/address-watches/address-watch.store';
import type { Tx } from '../../entities/database';
import { eventStore } from '../../entities/events/event.store';
import type { MovementEntity } from '../../entities/movements/movement.entity';
import { addressWatchView } from '../address-watches/view';
import { chainEventView } from './view';

type WatchedEvent = Extract<EventKind, `address_watch.${string}`>;

/** Emits one event per row of an active watch, in the transaction that has changed the rows. */
export async function reportWatched(tx: Tx, changed: readonly MovementEntity[], kind: WatchedEvent): Promise<void> {
  const rows = changed.filter(({ subjectId }) => isId('addressWatch', subjectId));
  if (rows.length === 0) return;
  const active = await addressWatchStore.activeAmong(tx, [...new Set(rows.map(({ subjectId }) => subjectId))]);
  const watches = new Map(active.map((watch) => [watch.id, addressWatchView(watch)]));
  const events = rows.flatMap((row) => {
    const addressWatch = watches.get(row.subjectId);
    if (!addressWatch) return [];
    const blockchainEvent = { addressWatchId: row.subjectId, network: row.network, ...chainEventView(row) };
    return [{ kind, aggregateId: row.id, aggregateVersion: row.version, data: { blockchainEvent, addressWatch } }];
  });
  await eventStore.emitAll(tx, events);
}
