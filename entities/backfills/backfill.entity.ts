import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { BackfillCause, BackfillStatus } from '../../domain/backfills';
import type { NetworkName } from '../../domain/networks';

/** A back-fill reads earlier blocks for one wallet or watch, newest block first. */
@Entity('backfills')
export class BackfillEntity {
  @PrimaryColumn('text', { name: 'org_id' })
  readonly orgId!: string;

  @PrimaryColumn('text', { name: 'id' })
  readonly id!: string;

  /** The id of a wallet or of an address watch. */
  @Column('text', { name: 'subject_id' })
  readonly subjectId!: string;

  @Column('text', { name: 'network' })
  readonly network!: NetworkName;

  @Column('text', { name: 'cause' })
  readonly cause!: BackfillCause;

  @Column('text', { name: 'status' })
  readonly status!: BackfillStatus;

  /** The last block to read. Not set together with `fromDate`. */
  @Column('bigint', { name: 'from_height', nullable: true })
  readonly fromHeight!: string | null;

  /** Blocks from before this time are not read. */
  @Column('timestamptz', { name: 'from_date', nullable: true })
  readonly fromDate!: Date | null;

  /**
   * The first block of an earlier part of the history that is already complete. After a full back-fill, the history is complete
   * from this block on.
   */
  @Column('bigint', { name: 'joins', nullable: true })
  readonly joins!: string | null;

  /** When the back-fill began, the history was complete from this block on. Null until the first blocks are read. */
  @Column('bigint', { name: 'top', nullable: true })
  readonly top!: string | null;

  /**
   * The height of the block to read next, as its child block states it. Null until the first blocks are read; `-1` after the
   * chain's first block.
   */
  @Column('bigint', { name: 'next_height', nullable: true })
  readonly nextHeight!: string | null;

  @Column('text', { name: 'next_hash', nullable: true })
  readonly nextHash!: string | null;

  /** The number of movements that this back-fill has added. */
  @Column('bigint', { name: 'found' })
  readonly found!: string;

  @Column('bigint', { name: 'blocks' })
  readonly blocks!: string;

  /** The number of blocks with a proof weaker than `Root`. */
  @Column('bigint', { name: 'unproved' })
  readonly unproved!: string;

  /** The number of blocks that were not searched for native transfers within contract calls. */
  @Column('bigint', { name: 'untraced' })
  readonly untraced!: string;

  /** The number of failed attempts to read the next block. */
  @Column('integer', { name: 'failures' })
  readonly failures!: number;

  /** Text for people: why the back-fill waits, or why it ended early. */
  @Column('text', { name: 'reason', nullable: true })
  readonly reason!: string | null;

  /** Null for a back-fill that the service itself started. */
  @Column('text', { name: 'requested_by', nullable: true })
  readonly requestedBy!: string | null;

  @Column('timestamptz', { name: 'date_created' })
  readonly dateCreated!: Date;

  @Column('timestamptz', { name: 'date_done', nullable: true })
  readonly dateDone!: Date | null;
}
