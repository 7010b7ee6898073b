import { type OutboxKind, shardOf } from '../../domain/outbox';
import { newId } from '../../platform/ids';
import { requestContext } from '../../platform/request-context';
import type { Tx } from '../database';
import { OutboxRowEntity } from './outbox-row.entity';

export type Dispatch = {
  readonly kind: OutboxKind;
  /** For the kinds `start` and `signal`, the workflow id. */
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
  async add(tx: Tx, { kind, aggregateId, dedupeKey, routing: own }: Dispatch): Promise<void> {
    const routing = { ...own, ...requestContext() };
    const row = { orgId: tx.orgId, id: newId('outbox'), shard: shardOf(aggregateId), kind, aggregateId, dedupeKey, routing };
    await tx.ensure(OutboxRowEntity, row);
  },
};
