import { type OutboxKind, shardOf } from '../../domain/outbox';
import { newId } from '../../platform/ids';
import { requestContext } from '../../platform/request-context';
import type { Tx } from '../database';

export type Dispatch = {
  readonly kind: OutboxKind;
  /** The workflow id, for the kinds `start` and `signal`. */
  readonly aggregateId: string;
  /** Unique in the organisation, so adding the same row twice changes nothing. */
  readonly dedupeKey: string;
  /** Contains no secrets. */
  readonly routing: Readonly<Record<string, string>>;
};

export const outboxStore = {
  /**
   * The relay dispatches each row at least once. The relay keeps the order of a record's events, and the order of the record's
   * starts and signals.
   */
  add: (tx: Tx, dispatch: Dispatch): Promise<void> => outboxStore.addAll(tx, [dispatch]),

  /** Writes all rows with one statement, because one block can cause many events. */
  async addAll(tx: Tx, dispatches: readonly Dispatch[]): Promise<void> {
    const context = requestContext();
    await tx.run(
      `INSERT INTO outbox (org_id, id, shard, kind, aggregate_id, dedupe_key, routing)
       SELECT $1, r.id, r.shard, r.kind, r.aggregate_id, r.dedupe_key, r.routing::jsonb
       FROM unnest($2::text[], $3::integer[], $4::text[], $5::text[], $6::text[], $7::text[]) WITH ORDINALITY
         AS r (id, shard, kind, aggregate_id, dedupe_key, routing, place)
       ORDER BY place ON CONFLICT DO NOTHING`,
      [
        tx.orgId,
        dispatches.map(() => newId('outbox')),
        dispatches.map(({ aggregateId }) => shardOf(aggregateId)),
        dispatches.map(({ kind }) => kind),
        dispatches.map(({ aggregateId }) => aggregateId),
        dispatches.map(({ dedupeKey }) => dedupeKey),
        dispatches.map(({ routing }) => JSON.stringify({ ...routing, ...context })),
      ],
    );
  },
};
