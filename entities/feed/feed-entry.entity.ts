import { Column, Entity, PrimaryColumn } from 'typeorm';

/** The place of an event in the feed. An entry never changes. */
@Entity('feed_entries')
export class FeedEntryEntity {
  @PrimaryColumn('text', { name: 'org_id' })
  readonly orgId!: string;

  @PrimaryColumn('bigint', { name: 'sequence' })
  readonly sequence!: string;

  @Column('text', { name: 'event_id' })
  readonly eventId!: string;

  @Column('bytea', { name: 'digest' })
  readonly digest!: Buffer;

  @Column('bytea', { name: 'hash' })
  readonly hash!: Buffer;
}
