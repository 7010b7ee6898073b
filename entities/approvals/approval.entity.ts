import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { Activity, ApprovalGroup, ApprovalStatus, Evaluation, EvaluationContext } from '../../domain/approvals';

@Entity('approvals')
export class ApprovalEntity {
  @PrimaryColumn('text', { name: 'org_id' })
  readonly orgId!: string;

  @PrimaryColumn('text', { name: 'id' })
  readonly id!: string;

  @Column('text', { name: 'activity_kind' })
  readonly activityKind!: string;

  @Column('text', { name: 'activity_id' })
  readonly activityId!: string;

  @Column('text', { name: 'initiator_id' })
  readonly initiatorId!: string;

  @Column('text', { name: 'status' })
  readonly status!: ApprovalStatus;

  @Column('jsonb', { name: 'activity' })
  readonly activity!: Activity;

  @Column('text', { name: 'digest' })
  readonly digest!: string;

  @Column('jsonb', { name: 'groups' })
  readonly groups!: readonly ApprovalGroup[];

  @Column('jsonb', { name: 'evaluations' })
  readonly evaluations!: readonly (Evaluation & EvaluationContext)[];

  @Column('integer', { name: 'policy_epoch' })
  readonly policyEpoch!: number;

  @Column('timestamptz', { name: 'date_expires', nullable: true })
  readonly dateExpires!: Date | null;

  /** Null while the quorum is in reach, and before the first check. */
  @Column('timestamptz', { name: 'unreachable_since', nullable: true })
  readonly unreachableSince!: Date | null;

  /** The user action by which the initiator withdrew the activity. */
  @Column('text', { name: 'withdrawn_by_action', nullable: true })
  readonly withdrawnByAction!: string | null;

  @Column('integer', { name: 'version' })
  readonly version!: number;

  @Column('timestamptz', { name: 'date_created' })
  readonly dateCreated!: Date;

  @Column('timestamptz', { name: 'date_updated' })
  readonly dateUpdated!: Date;

  @Column('timestamptz', { name: 'date_resolved', nullable: true })
  readonly dateResolved!: Date | null;

  /** The content that the digest covers; null for approvals from earlier releases. */
  @Column('jsonb', { name: 'committed', nullable: true })
  readonly committed!: Readonly<Record<string, unknown>> | null;
}
