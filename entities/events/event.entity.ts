import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { EventKind } from '../../domain/events';

@Entity('events')
export class EventEntity {
  @PrimaryColumn('text', { name: 'org_id' })
  readonly orgId!: string;

  @PrimaryColumn('text', { name: 'id' })
  readonly id!: string;

  @Column('text', { name: 'kind' })
  readonly kind!: EventKind;

  @Column('text', { name: 'aggregate_id' })
  readonly aggregateId!: string;

  @Column('integer', { name: 'aggregate_version' })
  readonly aggregateVersion!: number;

  @Column('jsonb', { name: 'data' })
  readonly data!: Readonly<Record<string, unknown>>;

  @Column('timestamptz', { name: 'date_created' })
  readonly dateCreated!: Date;
}
