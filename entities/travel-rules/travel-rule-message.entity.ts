import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { TravelRuleState } from '../../domain/travel-rules';

/** The vendor sends the message to the transfer's counterparty. */
@Entity('travel_rule_messages')
export class TravelRuleMessageEntity {
  @PrimaryColumn('text', { name: 'org_id' })
  readonly orgId!: string;

  @PrimaryColumn('text', { name: 'id' })
  readonly id!: string;

  @Column('text', { name: 'transfer_id' })
  readonly transferId!: string;

  @Column('text', { name: 'state' })
  readonly state!: TravelRuleState;

  /** A text from this service, never from the vendor. Null if the state is explanation enough. */
  @Column('text', { name: 'reason', nullable: true })
  readonly reason!: string | null;

  @Column('text', { name: 'vendor_message_id', nullable: true })
  readonly vendorMessageId!: string | null;

  @Column('integer', { name: 'trigger_seconds' })
  readonly triggerSeconds!: number;

  /**
   * The transfer is cleared if the counterparty does not answer within this time after the delivery of the message. Null if a
   * missing answer never clears the transfer.
   */
  @Column('integer', { name: 'clear_seconds', nullable: true })
  readonly clearSeconds!: number | null;

  @Column('timestamptz', { name: 'date_asked' })
  readonly dateAsked!: Date;

  @Column('timestamptz', { name: 'date_submitted', nullable: true })
  readonly dateSubmitted!: Date | null;

  @Column('timestamptz', { name: 'date_delivered', nullable: true })
  readonly dateDelivered!: Date | null;

  /** From this date on, a missing answer from the counterparty triggers the policy. Null until the message is submitted. */
  @Column('timestamptz', { name: 'date_triggers', nullable: true })
  readonly dateTriggers!: Date | null;

  /**
   * From this date on, a missing answer from the counterparty clears the transfer. Null until the message is delivered, or if a
   * missing answer never clears the transfer.
   */
  @Column('timestamptz', { name: 'date_clears', nullable: true })
  readonly dateClears!: Date | null;

  @Column('timestamptz', { name: 'date_ended', nullable: true })
  readonly dateEnded!: Date | null;
}
