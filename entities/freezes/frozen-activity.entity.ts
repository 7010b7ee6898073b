import { Column, Entity, PrimaryColumn } from 'typeorm';

/** The freeze blocks a transfer, a transaction or a signature request until the release. */
@Entity('frozen_activities')
export class FrozenActivityEntity {
  @PrimaryColumn('text', { name: 'org_id' })
  readonly orgId!: string;

  @PrimaryColumn('text', { name: 'activity_id' })
  readonly activityId!: string;

  @Column('text', { name: 'freeze_id' })
  readonly freezeId!: string;

  @Column('timestamptz', { name: 'date_met' })
  readonly dateMet!: Date;
}
