import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { TravelRuleState } from '../../domain/travel-rules';

/** The message that the vendor sends to a transfer's counterparty, and its status. */
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

  /**
   * Why the message ended, as a text that this service has written. The text never contains words of the vendor. Null if the
   * state says enough.
   */
  @Column('text', { name: 'reason', nullable: true })
  readonly reason!: string | null;

  @Column('text', { name: 'vendor_message_id', nullable: true })
  readonly vendorMessageId!: string | null;

  @Column('integer', { name: 'trigger_seconds' })
  readonly triggerSeconds!: number;

  /**
   * If the counterparty stays silent for this many seconds after the delivery of the message, the transfer is cleared. Null if
   * silence never clears the transfer.
   */
  @Column('integer', { name: 'clear_seconds', nullable: true })
  readonly clearSeconds!: number | null;

  @Column('timestamptz', { name: 'date_asked' })
  readonly dateAsked!: Date;

  @Column('timestamptz', { name: 'date_submitted', nullable: true })
  readonly dateSubmitted!: Date | null;

  @Column('timestamptz', { name: 'date_delivered', nullable: true })
  readonly dateDelivered!: Date | null;

  /** When silence of the counterparty triggers the policy; null until the message is submitted. */
  @Column('timestamptz', { name: 'date_triggers', nullable: true })
  readonly dateTriggers!: Date | null;

  /**
   * When silence of the counterparty clears the transfer. Null until the message is delivered, and null if silence never clears
   * the transfer.
   */
  @Column('timestamptz', { name: 'date_clears', nullable: true })
  readonly dateClears!: Date | null;

  @Column('timestamptz', { name: 'date_ended', nullable: true })
  readonly dateEnded!: Date | null;
}
