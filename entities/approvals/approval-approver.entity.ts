import { Column, Entity, PrimaryColumn } from 'typeorm';

@Entity('approval_approvers')
export class ApprovalApproverEntity {
  @PrimaryColumn('text', { name: 'org_id' })
  readonly orgId!: string;

  @PrimaryColumn('text', { name: 'approval_id' })
  readonly approvalId!: string;

  @PrimaryColumn('integer', { name: 'group_index' })
  readonly groupIndex!: number;

  @PrimaryColumn('text', { name: 'user_id' })
  readonly userId!: string;

  @Column('boolean', { name: 'may_approve' })
  readonly mayApprove!: boolean;

  /** A vote of this user counts from this time on. Null if it counts from the request for approval on. */
  @Column('timestamptz', { name: 'votes_from', nullable: true })
  readonly votesFrom!: Date | null;
}
