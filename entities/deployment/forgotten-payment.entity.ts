import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A payment that the signer has signed and that is missing from a restored database. `id` is the id of the request. */
@Entity('forgotten_payments')
export class ForgottenPaymentEntity {
  @PrimaryColumn('text', { name: 'org_id' })
  readonly orgId!: string;

  @PrimaryColumn('text', { name: 'id' })
  readonly id!: string;

  @Column('text', { name: 'intent_id', nullable: true })
  readonly intentId!: string | null;

  @Column('text', { name: 'intent_digest' })
  readonly intentDigest!: string;

  @Column('text', { name: 'claim' })
  readonly claim!: string;

  @Column('timestamptz', { name: 'date_signed' })
  readonly dateSigned!: Date;

  @Column('timestamptz', { name: 'date_released' })
  readonly dateReleased!: Date;

  /**
   * A payment with the same `intentDigest` is refused until this date. A payment with the same `intentId` is refused for ever.
   */
  @Column('timestamptz', { name: 'date_until' })
  readonly dateUntil!: Date;
}
