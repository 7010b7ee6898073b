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

  /** The time from which this user's vote is accepted. Null for a user who is a voter from the beginning. */
  @Column('timestamptz', { name: 'votes_from', nullable: true })
  readonly votesFrom!: Date | null;
}
