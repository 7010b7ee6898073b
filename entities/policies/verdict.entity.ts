import { Column, Entity, PrimaryColumn } from 'typeorm';

@Entity('verdicts')
export class VerdictEntity {
  @PrimaryColumn('text', { name: 'org_id' })
  readonly orgId!: string;

  @PrimaryColumn('text', { name: 'id' })
  readonly id!: string;

  @Column('text', { name: 'activity_kind' })
  readonly activityKind!: string;

  @Column('text', { name: 'activity_id' })
  readonly activityId!: string;

  @Column('integer', { name: 'policy_epoch' })
  readonly policyEpoch!: number;

  @Column('text', { name: 'outcome' })
  readonly outcome!: string;

  @Column('jsonb', { name: 'facts' })
  readonly facts!: unknown;

  @Column('jsonb', { name: 'evaluations' })
  readonly evaluations!: unknown;

  @Column('timestamptz', { name: 'date_created' })
  readonly dateCreated!: Date;

  @Column('jsonb', { name: 'shadows' })
  readonly shadows!: unknown;
}
