import { Column, Entity, PrimaryColumn } from 'typeorm';

/** That a callback of the vendor was heard, so that it is not heard twice. */
@Entity('travel_rule_callbacks')
export class TravelRuleCallbackEntity {
  @PrimaryColumn('text', { name: 'org_id' })
  readonly orgId!: string;

  /** The vendor's id of it. */
  @PrimaryColumn('text', { name: 'id' })
  readonly id!: string;

  @Column('text', { name: 'message_id' })
  readonly messageId!: string;

  @Column('timestamptz', { name: 'date_received' })
  readonly dateReceived!: Date;
}
