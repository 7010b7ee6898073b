import { Column, Entity, PrimaryColumn } from 'typeorm';

/** Balances in decimal digits, by contract; the contract of the native asset is empty. */
export type StoredUnits = Readonly<Record<string, string>>;

/** The balances of a watched address that a node stated last. */
@Entity('balance_sweeps')
export class BalanceSweepEntity {
  @PrimaryColumn('text', { name: 'org_id' })
  readonly orgId!: string;

  @PrimaryColumn('text', { name: 'subject_id' })
  readonly subjectId!: string;

  /** The block after which the address had `units`. Null before the first comparison. */
  @Column('bigint', { name: 'height', nullable: true })
  readonly height!: string | null;

  @Column('jsonb', { name: 'units', nullable: true })
  readonly units!: StoredUnits | null;

  /** The number of blocks of the network that were read without transfers within calls, up to `height`. */
  @Column('bigint', { name: 'untraced' })
  readonly untraced!: string;

  /** The number of reorganisations that had removed confirmed blocks of the network when `units` were read. */
  @Column('integer', { name: 'reversals' })
  readonly reversals!: number;

  /** A block that was not confirmed yet when the balances at this block were read. */
  @Column('bigint', { name: 'waiting_height', nullable: true })
  readonly waitingHeight!: string | null;

  @Column('jsonb', { name: 'waiting_units', nullable: true })
  readonly waitingUnits!: StoredUnits | null;

  @Column('timestamptz', { name: 'date_read' })
  readonly dateRead!: Date;
}
