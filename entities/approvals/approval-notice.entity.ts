import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { NoticeKind } from '../../domain/approvals';

@Entity('approval_notices')
export class ApprovalNoticeEntity {
  @PrimaryColumn('text', { name: 'org_id' })
  readonly orgId!: string;

  @PrimaryColumn('text', { name: 'approval_id' })
  readonly approvalId!: string;

  @PrimaryColumn('text', { name: 'kind' })
  readonly kind!: NoticeKind;

  /** 0 for a notice to the voters of all groups. */
  @PrimaryColumn('integer', { name: 'group_index' })
  readonly groupIndex!: number;

  @Column('timestamptz', { name: 'date_due' })
  readonly dateDue!: Date;

  /** Null until the notice is sent, or is skipped because no voter needs a mail. */
  @Column('timestamptz', { name: 'date_sent', nullable: true })
  readonly dateSent!: Date | null;
}
