import { Column, Entity, PrimaryColumn } from 'typeorm';

/** Data about originator and beneficiary, for the counterparty of the transfer. */
@Entity('travel_rule_payloads')
export class TravelRulePayloadEntity {
  @PrimaryColumn('text', { name: 'org_id' })
  readonly orgId!: string;

  @PrimaryColumn('text', { name: 'transfer_id' })
  readonly transferId!: string;

  /** Sealed JSON text, which can be decrypted only with the id of its transfer. */
  @Column('text', { name: 'sealed' })
  readonly sealed!: string;

  /** True if a custodian has the beneficiary's wallet. Without a custodian, there is no counterparty that could answer. */
  @Column('boolean', { name: 'is_custodial' })
  readonly isCustodial!: boolean;

  @Column('timestamptz', { name: 'date_created' })
  readonly dateCreated!: Date;
}
