import type { EventKind } from '../../domain/events';
import { newId } from '../../platform/ids';
import type { Reader, Tx } from '../database';
import { outboxStore } from '../outbox/outbox.store';
import { EventEntity } from './event.entity';

export type NewEvent = {
  readonly kind: EventKind;
  readonly aggregateId: string;
  /** The version after the change. A receiver orders the events of one object by this number (S14). */
  readonly aggregateVersion: number;
  /** The body of the event in the form of the API. The body never changes. */
  readonly data: Readonly<Record<string, unknown>>;
};

export const eventStore = {
  /** Must be called in the transaction of the change that the event reports. */
  async emit(tx: Tx, { kind, aggregateId, aggregateVersion, data }: NewEvent): Promise<string> {
    const id = newId('event');
    await tx.insert(EventEntity, { orgId: tx.orgId, id, kind, aggregateId, aggregateVersion, data });
    await outboxStore.add(tx, { kind: 'event', aggregateId, dedupeKey: id, routing: { eventId: id, eventKind: kind } });
    return id;
  },

  async find(reader: Reader, eventId: string): Promise<EventEntity | undefined> {
    return reader.row(EventEntity, 'WHERE id = $1', [eventId]);
  },

  findAll: (reader: Reader, eventIds: readonly string[]): Promise<EventEntity[]> =>
    reader.rows(EventEntity, 'WHERE t.id = ANY ($1)', [eventIds]),
};
