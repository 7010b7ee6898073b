import type { ApprovalGroup, ApprovalStatus, Seats, VoteValue } from '../../domain/approvals';
import type { Reader, Tx } from '../database';
import type { SqlValue } from '../read-message';
import { ApprovalEntity } from './approval.entity';
import { ApprovalVoteEntity } from './approval-vote.entity';

export type NewApproval = Pick<
  ApprovalEntity,
  | 'id'
  | 'activityKind'
  | 'activityId'
  | 'initiatorId'
  | 'activity'
  | 'digest'
  | 'committed'
  | 'groups'
  | 'evaluations'
  | 'policyEpoch'
  | 'dateExpires'
>;

export type NewVote = {
  readonly approvalId: string;
  readonly userId: string;
  readonly value: VoteValue;
  readonly reason: string | null;
  readonly userActionId: string;
};

export type ApprovalPage = {
  readonly status: ApprovalStatus | undefined;
  readonly initiatorId: string | undefined;
  readonly approverId: string | undefined;
  readonly after: string | undefined;
  readonly limit: number;
};

export const approvalStore = {
  /** Writes the approval, and for each group one row for each user who may vote in the group (P12). */
  async create(tx: Tx, approval: NewApproval): Promise<void> {
    await tx.insert(ApprovalEntity, { orgId: tx.orgId, status: 'Pending', version: 1, ...approval });
    const approvers = approval.groups.flatMap(approversOf);
    await tx.query(
      `INSERT INTO approval_approvers (org_id, approval_id, group_index, user_id, may_approve, votes_from)
       SELECT $1, $2, a.group_index, a.user_id, a.may_approve, a.votes_from
       FROM unnest($3::integer[], $4::text[], $5::boolean[], $6::timestamptz[]) AS a (group_index, user_id, may_approve, votes_from)`,
      [
        tx.orgId,
        approval.id,
        approvers.map(({ groupIndex }) => groupIndex),
        approvers.map(({ userId }) => userId),
        approvers.map(({ mayApprove }) => mayApprove),
        approvers.map(({ votesFrom }) => votesFrom),
      ],
    );
  },

  async find(reader: Reader, approvalId: string): Promise<ApprovalEntity | undefined> {
    return reader.row(ApprovalEntity, 'WHERE t.id = $1', [approvalId]);
  },

  digests: (reader: Reader, approvalIds: readonly string[]): Promise<Pick<ApprovalEntity, 'id' | 'digest'>[]> =>
    reader.select('SELECT t.id, t.digest FROM approvals t WHERE t.id = ANY($1)', [approvalIds]),

  /** The lock makes concurrent votes run one after another. */
  async lock(tx: Tx, approvalId: string): Promise<ApprovalEntity | undefined> {
    return tx.row(ApprovalEntity, 'WHERE t.id = $1 FOR UPDATE', [approvalId]);
  },

  async votes(reader: Reader, approvalIds: readonly string[]): Promise<ApprovalVoteEntity[]> {
    return reader.rows(ApprovalVoteEntity, 'WHERE t.approval_id = ANY($1) ORDER BY t.date_created, t.user_id', [approvalIds]);
  },

  /** Returns false if this user has already voted. The primary key allows one vote per user. */
  async vote(tx: Tx, vote: NewVote): Promise<boolean> {
    return tx.insertOnce(ApprovalVoteEntity, { orgId: tx.orgId, dateCreated: await tx.clock(), ...vote });
  },

  /** Raises the version; a final status also sets `dateResolved`. Returns undefined if the approval was no longer pending. */
  async advance(tx: Tx, approvalId: string, status: ApprovalStatus): Promise<ApprovalEntity | undefined> {
    const moved = await tx.query(
      `UPDATE approvals SET status = $3, version = version + 1, date_updated = clock_timestamp(),
         date_resolved = CASE WHEN $3 = 'Pending' THEN NULL ELSE clock_timestamp() END
       WHERE org_id = $1 AND id = $2 AND status = 'Pending' RETURNING id`,
      [tx.orgId, approvalId, status],
    );
    return moved.length === 0 ? undefined : approvalStore.find(tx, approvalId);
  },

  async markWithdrawn(tx: Tx, approvalId: string, userActionId: string): Promise<void> {
    await tx.update(ApprovalEntity, { id: approvalId }, { withdrawnByAction: userActionId });
  },

  /** The pending approvals that contain a group from this policy. */
  async pendingUnder(reader: Reader, policyId: string): Promise<Pick<ApprovalEntity, 'id'>[]> {
    return reader.select(
      `SELECT t.id FROM approvals t
       WHERE t.status = 'Pending' AND t.groups @> jsonb_build_array(jsonb_build_object('policyId', $1::text)) ORDER BY t.id`,
      [policyId],
    );
  },

  /** Newest first, plus one row if there is a next page. */
  async page(reader: Reader, { status, initiatorId, approverId, after, limit }: ApprovalPage): Promise<ApprovalEntity[]> {
    const values: SqlValue[] = [];
    const place = (value: SqlValue) => `$${values.push(value)}`;
    const conditions = ['TRUE'];
    // The statement contains only the given filters, so its cached plan can use an index for each filter.
    if (status !== undefined) conditions.push(`t.status = ${place(status)}`);
    if (initiatorId !== undefined) conditions.push(`t.initiator_id = ${place(initiatorId)}`);
    if (after !== undefined) conditions.push(`t.id < ${place(after)}`);
    // The join reads the approver's rows first, because a query for a short page could otherwise read every pending approval.
    const seats =
      approverId === undefined
        ? ''
        : `JOIN (SELECT DISTINCT a.org_id, a.approval_id FROM approval_approvers a
             WHERE a.user_id = ${place(approverId)} AND (a.votes_from IS NULL OR a.votes_from <= clock_timestamp())) s
           ON s.org_id = t.org_id AND s.approval_id = t.id `;
    const tail = `${seats}WHERE ${conditions.join(' AND ')} ORDER BY t.id DESC LIMIT ${place(limit + 1)}`;
    return reader.rows(ApprovalEntity, tail, values);
  },
};

type Approver = {
  readonly groupIndex: number;
  readonly userId: string;
  readonly mayApprove: boolean;
  readonly votesFrom: string | null;
};

function approversOf({ escalation, ...first }: ApprovalGroup, groupIndex: number): Approver[] {
  const seated = ({ voterIds, denierIds }: Seats, votesFrom: string | null) => [
    ...voterIds.map((userId) => ({ groupIndex, userId, mayApprove: true, votesFrom })),
    ...denierIds.map((userId) => ({ groupIndex, userId, mayApprove: false, votesFrom })),
  ];
  return [...seated(first, null), ...(escalation ? seated(escalation, escalation.from) : [])];
}
