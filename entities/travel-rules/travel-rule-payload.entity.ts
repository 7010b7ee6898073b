import { Column, Entity, PrimaryColumn } from 'typeorm';

/** The data about originator and beneficiary that goes to the counterparty of the transfer. */
@Entity('travel_rule_payloads')
export class TravelRulePayloadEntity {
  @PrimaryColumn('text', { name: 'org_id' })
  readonly orgId!: string;

  @PrimaryColumn('text', { name: 'transfer_id' })
  readonly transferId!: string;

  /** The payload as JSON, sealed for the id of its transfer. */
  @Column('text', { name: 'sealed' })
  readonly sealed!: string;

  /**
   * Whether a custodian holds the wallet of the beneficiary. Without a custodian, there is no counterparty whose silence can
   * count.
   */
  @Column('boolean', { name: 'is_custodial' })
  readonly isCustodial!: boolean;

  @Column('timestamptz', { name: 'date_created' })
  readonly dateCreated!: Date;
}
