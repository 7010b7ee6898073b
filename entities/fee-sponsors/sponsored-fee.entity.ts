import { Column, Entity, PrimaryColumn } from 'typeorm';

/** The service writes the row once, when the request is final. */
@Entity('sponsored_fees')
export class SponsoredFeeEntity {
  @PrimaryColumn('text', { name: 'org_id' })
  readonly orgId!: string;

  @PrimaryColumn('text', { name: 'request_id' })
  readonly requestId!: string;

  @Column('text', { name: 'fee_sponsor_id' })
  readonly feeSponsorId!: string;

  /** The wallet whose fee the sponsor paid. */
  @Column('text', { name: 'sponsoree_id' })
  readonly sponsoreeId!: string;

  /** In smallest units of the network's native asset. */
  @Column('numeric', { name: 'fee_units', nullable: true })
  readonly feeUnits!: string | null;

  @Column('timestamptz', { name: 'date_requested' })
  readonly dateRequested!: Date;

  @Column('timestamptz', { name: 'date_confirmed' })
  readonly dateConfirmed!: Date;
}
