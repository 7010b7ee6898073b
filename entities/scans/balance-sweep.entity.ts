import { Column, Entity, PrimaryColumn } from 'typeorm';

/** Balances in decimal digits, by contract; the contract of the native asset is empty. */
export type StoredUnits = Readonly<Record<string, string>>;

/** The balances of a watched address that a node last reported. */
@Entity('balance_sweeps')
export class BalanceSweepEntity {
  @PrimaryColumn('text', { name: 'org_id' })
  readonly orgId!: string;

  @PrimaryColumn('text', { name: 'subject_id' })
  readonly subjectId!: string;

  /** The block after which the address had `units`. */
  @Column('bigint', { name: 'height' })
  readonly height!: string;

  @Column('jsonb', { name: 'units' })
  readonly units!: StoredUnits;

  /** The number of blocks of the network, up to `height`, that were not searched for transfers within contract calls. */
  @Column('bigint', { name: 'untraced' })
  readonly untraced!: string;

  /** The number of reorganisations that had removed confirmed blocks of the network when `units` were read. */
  @Column('integer', { name: 'reversals' })
  readonly reversals!: number;

  @Column('timestamptz', { name: 'date_read' })
  readonly dateRead!: Date;
}
