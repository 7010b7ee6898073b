import { Column, Entity, PrimaryColumn } from 'typeorm';

/** An address for which blocks are searched. */
@Entity('watched_addresses')
export class WatchedAddressEntity {
  @PrimaryColumn('text', { name: 'org_id' })
  readonly orgId!: string;

  /** The wallet that has the address, or the watch of the address. */
  @PrimaryColumn('text', { name: 'subject_id' })
  readonly subjectId!: string;

  @Column('text', { name: 'subject_kind' })
  readonly subjectKind!: 'Wallet' | 'AddressWatch';

  @Column('text', { name: 'network' })
  readonly network!: string;

  @Column('text', { name: 'address' })
  readonly address!: string;

  /** The id of the transaction that added the row or made the row active again. Postgres sets this column. */
  @Column('text', { name: 'since_xid' })
  readonly sinceXid!: string;

  /**
   * From this block on, the movements of the address are complete. Null if no block has been read since the address was added or
   * became active again.
   */
  @Column('bigint', { name: 'live_from', nullable: true })
  readonly liveFrom!: string | null;

  /** The last block whose movements were complete and final when the watch was archived. Null if no block had been read. */
  @Column('bigint', { name: 'left_at', nullable: true })
  readonly leftAt!: string | null;

  @Column('timestamptz', { name: 'date_added' })
  readonly dateAdded!: Date;

  /** False for an archived watch: blocks are not searched for its address. */
  @Column('boolean', { name: 'is_active' })
  readonly isActive!: boolean;

  /** From this time on, the balances of the address are compared with its movements again. */
  @Column('timestamptz', { name: 'date_sweep_due' })
  readonly dateSweepDue!: Date;
}
