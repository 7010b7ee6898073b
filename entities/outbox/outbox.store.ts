import { type OutboxKind, shardOf } from '../../domain/outbox';
import { newId } from '../../platform/ids';
import { requestContext } from '../../platform/request-context';
import type { Tx } from '../database';
import { OutboxRowEntity } from './outbox-row.entity';

export type Dispatch = {
  readonly kind: OutboxKind;
  /** The id of the record that the row belongs to. For the kinds `start` and `signal`, this id is also the workflow id. */
  readonly aggregateId: string;
  /** Unique in the organisation. A second attempt to add the same row therefore changes nothing. */
  readonly dedupeKey: string;
  /** Contains only ids and routing data, and no secrets. */
  readonly routing: Readonly<Record<string, string>>;
};

export const outboxStore = {
  /**
   * Adds a row with the context of the current request. The relay dispatches each row at least once. The relay keeps the order
   * of the events of a record, and the order of the record's starts and signals.
   */
  async add(tx: Tx, { kind, aggregateId, dedupeKey, routing: own }: Dispatch): Promise<void> {
    const routing = { ...own, ...requestContext() };
    const row = { orgId: tx.orgId, id: newId('outbox'), shard: shardOf(aggregateId), kind, aggregateId, dedupeKey, routing };
    await tx.ensure(OutboxRowEntity, row);
  },
};
