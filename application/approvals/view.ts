import type { Activity, ApprovalStatus, Evaluation, EvaluationContext, VoteValue } from '../../domain/approvals';
import type { ApprovalEntity } from '../../entities/approvals/approval.entity';
import type { ApprovalVoteEntity } from '../../entities/approvals/approval-vote.entity';
import type { Plain } from '../policies/view';

type ShownEvaluation = Plain<Omit<Evaluation, 'policyVersion'> & EvaluationContext>;

export type ApprovalView = {
  readonly id: string;
  readonly initiatorId: string;
  readonly activity: Activity;
  readonly status: ApprovalStatus;
  readonly expirationDate?: string;
  readonly dateCreated: string;
  readonly dateUpdated: string;
  readonly dateResolved?: string;
  readonly policyEvaluations: ShownEvaluation[];
  /** `reason` is null rather than absent, because the interface requires the member. */
  readonly decisions: {
    readonly userId: string;
    readonly date: string;
    readonly value: VoteValue;
    readonly reason: string | null;
  }[];
};

export function approvalView(row: ApprovalEntity, votes: readonly ApprovalVoteEntity[]): ApprovalView {
  return {
    id: row.id,
    initiatorId: row.initiatorId,
    activity: row.activity,
    status: row.status,
    ...(row.dateExpires ? { expirationDate: row.dateExpires.toISOString() } : {}),
    dateCreated: row.dateCreated.toISOString(),
    dateUpdated: row.dateUpdated.toISOString(),
    ...(row.dateResolved ? { dateResolved: row.dateResolved.toISOString() } : {}),
    policyEvaluations: row.evaluations.map(({ policyVersion: _version, ...shown }) => shown as ShownEvaluation),
    decisions: votes.map(({ userId, dateCreated, value, reason }) => ({
      userId,
      date: dateCreated.toISOString(),
      value,
      reason,
    })),
  };
}
