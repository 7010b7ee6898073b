import { Column, Entity, PrimaryColumn } from 'typeorm';

/** The data about originator and beneficiary that a transfer passes on. */
@Entity('travel_rule_payloads')
export class TravelRulePayloadEntity {
  @PrimaryColumn('text', { name: 'org_id' })
  readonly orgId!: string;

  @PrimaryColumn('text', { name: 'transfer_id' })
  readonly transferId!: string;

  /** JSON of the payload, sealed for its transfer's id. */
  @Column('text', { name: 'sealed' })
  readonly sealed!: string;

  /** Whether a service holds the beneficiary's wallet, so that there is a party who answers or stays silent. */
  @Column('boolean', { name: 'is_custodial' })
  readonly isCustodial!: boolean;

  @Column('timestamptz', { name: 'date_created' })
  readonly dateCreated!: Date;
}
