import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { EventKind } from '../../domain/events';

@Entity('webhook_events')
export class WebhookEventEntity {
  @PrimaryColumn('text', { name: 'org_id' })
  readonly orgId!: string;

  @PrimaryColumn('text', { name: 'id' })
  readonly id!: string;

  @Column('text', { name: 'webhook_id' })
  readonly webhookId!: string;

  @Column('text', { name: 'event_id' })
  readonly eventId!: string;

  @Column('text', { name: 'kind' })
  readonly kind!: EventKind;

  @Column('integer', { name: 'delivery_attempt' })
  readonly deliveryAttempt!: number;

  @Column('text', { name: 'retry_of', nullable: true })
  readonly retryOf!: string | null;

  @Column('text', { name: 'status' })
  readonly status!: string;

  @Column('text', { name: 'error', nullable: true })
  readonly error!: string | null;

  @Column('boolean', { name: 'delivery_failed', nullable: true })
  readonly deliveryFailed!: boolean | null;

  @Column('timestamptz', { name: 'next_attempt_date', nullable: true })
  readonly nextAttemptDate!: Date | null;

  @Column('bigint', { name: 'timestamp_sent', nullable: true })
  readonly timestampSent!: string | null;

  @Column('timestamptz', { name: 'date_created' })
  readonly dateCreated!: Date;
}
