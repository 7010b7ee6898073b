import type { ChangeActivityKind } from './policies';
import type { Screening } from './screenings';

export const APPROVAL_STATUSES = ['Pending', 'Approved', 'Denied', 'Expired'] as const;
export type ApprovalStatus = (typeof APPROVAL_STATUSES)[number];

export type VoteValue = 'Approved' | 'Denied';
export type Vote = { readonly userId: string; readonly value: VoteValue };

/** The users who may vote, fixed when the approval is requested (S10). */
export type Seats = {
  /** Users whose approving vote is accepted. */
  readonly voterIds: readonly string[];
  /**
   * Users who may only deny: users who are too new, the initiator, and other accounts of the initiator. If the group lets the
   * initiator approve, this list contains only users who are too new.
   */
  readonly denierIds: readonly string[];
  readonly newIds?: readonly string[];
  /** Maps each voter that is a service account to the person who acts through the account. */
  readonly hands?: Readonly<Record<string, string>>;
};

/** Voters who are added at `from` (ISO 8601), and who are not among the group's first voters. */
export type Escalation = Seats & { readonly from: string };

export type ApprovalGroup = Seats & {
  /** Absent in approvals that were stored before groups had ids. */
  readonly groupId?: string;
  readonly name: string | null;
  readonly quorum: number;
  readonly policyId: string;
  readonly escalation?: Escalation;
};

/** `Request` goes to all voters, `Reminder` to the voters who have not voted, `Escalation` to the added voters. */
export type NoticeKind = 'Request' | 'Reminder' | 'Escalation';

type Snapshot = Readonly<Record<string, unknown>>;

/** A request to sign with a wallet. The name of the member is the name of the request in the interface. */
export type SignRequest =
  | { readonly transferRequest: Snapshot }
  | { readonly transactionRequest: Snapshot }
  | { readonly signatureRequest: Snapshot };

/** An activity as the interface shows it, at the moment of its judgement. */
export type Activity =
  | ({ readonly kind: 'Wallets:Sign' } & SignRequest)
  | { readonly kind: 'Wallets:IncomingTransaction'; readonly blockchainEvent: Snapshot }
  | { readonly kind: ChangeActivityKind; readonly changeRequest: Snapshot };

export type Evaluation = {
  readonly policyId: string;
  readonly policyVersion: number;
  readonly triggered: boolean;
  readonly reason: string;
};

export type EvaluationContext = { readonly context?: { readonly screening: Screening } };

/**
 * True if a request to this path decides this approval or, without `approvalId`, several approvals. The API serves each path with
 * and without `/v2`, and ignores a trailing slash.
 */
export function isDecisionPath(path: string, approvalId?: string): boolean {
  const place = approvalId === undefined ? 'policy-approvals/decisions' : `policy-approvals/${approvalId}/decisions`;
  return [`/v2/${place}`, `/${place}`].includes(path.replace(/\/$/, ''));
}
