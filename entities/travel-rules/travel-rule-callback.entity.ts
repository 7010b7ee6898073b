import { Column, Entity, PrimaryColumn } from 'typeorm';

/** The row prevents the service from processing the same callback twice. */
@Entity('travel_rule_callbacks')
export class TravelRuleCallbackEntity {
  @PrimaryColumn('text', { name: 'org_id' })
  readonly orgId!: string;

  /** The vendor's id of the callback. */
  @PrimaryColumn('text', { name: 'id' })
  readonly id!: string;

  @Column('text', { name: 'message_id' })
  readonly messageId!: string;

  @Column('timestamptz', { name: 'date_received' })
  readonly dateReceived!: Date;
}
