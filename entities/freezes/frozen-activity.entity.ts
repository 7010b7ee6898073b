import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A transfer, transaction or signature request that is blocked by a freeze and waits until that freeze is released. */
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
