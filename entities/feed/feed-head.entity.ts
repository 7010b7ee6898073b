import { Column, Entity, PrimaryColumn } from 'typeorm';

/** The last entry of an organisation's feed. The lock on the row lets only one sequencer work at a time. */
@Entity('feed_heads')
export class FeedHeadEntity {
  @PrimaryColumn('text', { name: 'org_id' })
  readonly orgId!: string;

  @Column('bigint', { name: 'sequence' })
  readonly sequence!: string;

  @Column('bytea', { name: 'hash' })
  readonly hash!: Buffer;

  /** The sequence of the newest checkpoint; 0 before the first checkpoint. */
  @Column('bigint', { name: 'signed_sequence' })
  readonly signedSequence!: string;

  @Column('timestamptz', { name: 'date_updated' })
  readonly dateUpdated!: Date;

  /**
   * The time since which a checkpoint has waited for the witness, which keeps checkpoints outside the service. Null once the
   * witness has the newest checkpoint, and before the first checkpoint.
   */
  @Column('timestamptz', { name: 'date_unwitnessed', nullable: true })
  readonly dateUnwitnessed!: Date | null;
}
