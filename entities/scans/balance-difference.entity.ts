import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { DifferenceCause } from '../../domain/balance-differences';
import type { NetworkName } from '../../domain/networks';

/** A change of a balance that the movements of the address do not explain. */
@Entity('balance_differences')
export class BalanceDifferenceEntity {
  @PrimaryColumn('text', { name: 'org_id' })
  readonly orgId!: string;

  @PrimaryColumn('text', { name: 'subject_id' })
  readonly subjectId!: string;

  /** Empty for the native asset. */
  @PrimaryColumn('text', { name: 'contract' })
  readonly contract!: string;

  /** The balance after this block is `foundUnits`. */
  @PrimaryColumn('bigint', { name: 'to_height' })
  readonly toHeight!: string;

  /** The block of the previous reading. The unexplained change is in the blocks after this block. */
  @Column('bigint', { name: 'from_height' })
  readonly fromHeight!: string;

  @Column('text', { name: 'network' })
  readonly network!: NetworkName;

  /** The balance of the previous reading plus the movements since then. Can be negative. */
  @Column('numeric', { name: 'expected_units' })
  readonly expectedUnits!: string;

  @Column('numeric', { name: 'found_units' })
  readonly foundUnits!: string;

  @Column('text', { name: 'cause' })
  readonly cause!: DifferenceCause;

  /** The number of later differences of the asset that have no separate row. */
  @Column('integer', { name: 'repeats' })
  readonly repeats!: number;

  /** The block of the last difference that this row represents. */
  @Column('bigint', { name: 'last_height' })
  readonly lastHeight!: string;

  @Column('timestamptz', { name: 'date_found' })
  readonly dateFound!: Date;
}
