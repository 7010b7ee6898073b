import { Column, Entity, PrimaryColumn } from 'typeorm';

/**
 * An event that has no place in the feed yet. A trigger on the table `events` writes the row in the same transaction as the
 * event.
 */
@Entity('feed_pending')
export class FeedPendingEntity {
  @PrimaryColumn('text', { name: 'org_id' })
  readonly orgId!: string;

  /** For the events of one record, this column gives their order, because each event is written while its record is locked. */
  @PrimaryColumn('bigint', { name: 'seq' })
  readonly seq!: string;

  @Column('text', { name: 'event_id' })
  readonly eventId!: string;
}
