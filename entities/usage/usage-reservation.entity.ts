import { Column, Entity, PrimaryColumn } from 'typeorm';

@Entity('usage_reservations')
export class UsageReservationEntity {
  @PrimaryColumn('text', { name: 'org_id' })
  readonly orgId!: string;

  @PrimaryColumn('text', { name: 'activity_id' })
  readonly activityId!: string;

  @PrimaryColumn('text', { name: 'wallet_id' })
  readonly walletId!: string;

  /** In millionths of a US dollar; null if the value is unknown. */
  @Column('numeric', { name: 'amount_usd_micro', nullable: true })
  readonly amountUsdMicro!: string | null;

  @Column('timestamptz', { name: 'date_counted' })
  readonly dateCounted!: Date;
}
