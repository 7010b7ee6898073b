import { Column, Entity, PrimaryColumn } from 'typeorm';

@Entity('usage_sums')
export class UsageSumEntity {
  @PrimaryColumn('text', { name: 'org_id' })
  readonly orgId!: string;

  @PrimaryColumn('text', { name: 'wallet_id' })
  readonly walletId!: string;

  /** 1 for the sum of a minute, 60 for the sum of an hour. */
  @PrimaryColumn('integer', { name: 'minutes' })
  readonly minutes!: number;

  @PrimaryColumn('timestamptz', { name: 'date_start' })
  readonly dateStart!: Date;

  @Column('integer', { name: 'count' })
  readonly count!: number;

  /** Activities whose value is unknown. */
  @Column('integer', { name: 'unknowns' })
  readonly unknowns!: number;

  @Column('numeric', { name: 'amount_usd_micro' })
  readonly amountUsdMicro!: string;
}
