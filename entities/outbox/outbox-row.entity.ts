import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { OutboxKind } from '../../domain/outbox';

@Entity('outbox')
export class OutboxRowEntity {
  @PrimaryColumn('text', { name: 'org_id' })
  readonly orgId!: string;

  @PrimaryColumn('text', { name: 'id' })
  readonly id!: string;

  /**
   * Orders the rows of one record. Each row is written while the record is locked, so `seq` rises. Ids cannot order the rows,
   * because ids begin with the clock time of a process, and the clocks of two processes differ.
   */
  @Column({ type: 'bigint', name: 'seq', insert: false, update: false })
  readonly seq!: string;

  @Column('integer', { name: 'shard' })
  readonly shard!: number;

  @Column('text', { name: 'kind' })
  readonly kind!: OutboxKind;

  @Column('text', { name: 'aggregate_id' })
  readonly aggregateId!: string;

  @Column('text', { name: 'dedupe_key' })
  readonly dedupeKey!: string;

  @Column('jsonb', { name: 'routing' })
  readonly routing!: Readonly<Record<string, string>>;

  @Column('integer', { name: 'attempts' })
  readonly attempts!: number;

  @Column('timestamptz', { name: 'date_created' })
  readonly dateCreated!: Date;

  @Column('timestamptz', { name: 'date_due' })
  readonly dateDue!: Date;

  @Column('timestamptz', { name: 'date_relayed', nullable: true })
  readonly dateRelayed!: Date | null;
}
