import type { NoticeKind } from '../../domain/approvals';
import type { Reader, Tx } from '../database';
import { ApprovalNoticeEntity } from './approval-notice.entity';

export type NewNotice = Pick<ApprovalNoticeEntity, 'kind' | 'groupIndex' | 'dateDue'>;

export const noticeStore = {
  async add(tx: Tx, approvalId: string, notices: readonly NewNotice[]): Promise<void> {
    if (notices.length === 0) return;
    await tx.insert(
      ApprovalNoticeEntity,
      notices.map((notice) => ({ orgId: tx.orgId, approvalId, dateSent: null, ...notice })),
    );
  },

  /** The unsent notices, in the order of their due dates. */
  async open(reader: Reader, approvalId: string): Promise<ApprovalNoticeEntity[]> {
    const tail = 'WHERE t.approval_id = $1 AND t.date_sent IS NULL ORDER BY t.date_due, t.kind, t.group_index';
    return reader.rows(ApprovalNoticeEntity, tail, [approvalId]);
  },

  async markSent(tx: Tx, approvalId: string, kind: NoticeKind, groupIndex: number): Promise<void> {
    await tx.update(ApprovalNoticeEntity, { approvalId, kind, groupIndex }, { dateSent: await tx.clock() });
  },
};
