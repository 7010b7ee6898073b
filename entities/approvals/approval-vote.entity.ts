import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { VoteValue } from '../../domain/approvals';

@Entity('approval_votes')
export class ApprovalVoteEntity {
  @PrimaryColumn('text', { name: 'org_id' })
  readonly orgId!: string;

  @PrimaryColumn('text', { name: 'approval_id' })
  readonly approvalId!: string;

  @PrimaryColumn('text', { name: 'user_id' })
  readonly userId!: string;

  @Column('text', { name: 'value' })
  readonly value!: VoteValue;

  @Column('text', { name: 'reason', nullable: true })
  readonly reason!: string | null;

  @Column('text', { name: 'user_action_id' })
  readonly userActionId!: string;

  @Column('timestamptz', { name: 'date_created' })
  readonly dateCreated!: Date;
}
