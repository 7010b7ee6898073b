import type { ChangeActivityKind } from './policies';
import type { Screening } from './screenings';

export const APPROVAL_STATUSES = ['Pending', 'Approved', 'Denied', 'Expired'] as const;
export type ApprovalStatus = (typeof APPROVAL_STATUSES)[number];

export type VoteValue = 'Approved' | 'Denied';
export type Vote = { readonly userId: string; readonly value: VoteValue };

/**
 * The users who may vote, fixed when the approval is requested (S10). A user who is added later may not vote on this approval.
 */
export type Seats = {
  /** Users whose approving vote counts. */
  readonly voterIds: readonly string[];
  /**
   * Users of the group who may only deny: users who are too new, the initiator, and the other accounts of the person behind the
   * initiator. If the group lets the initiator approve, only users who are too new are listed here.
   */
  readonly denierIds: readonly string[];
  /** The users in `denierIds` who were too new when the approval was requested. */
  readonly newIds?: readonly string[];
  /** Maps the id of each voter that is a service account to the id of the person who acts through the account. */
  readonly hands?: Readonly<Record<string, string>>;
};

/** Voters who are added at `from` (ISO 8601). None of these voters is among the group's first voters. */
export type Escalation = Seats & { readonly from: string };

export type ApprovalGroup = Seats & {
  /** The id of the group in its policy; absent in approvals that were stored before groups had ids. */
  readonly groupId?: string;
  readonly name: string | null;
  readonly quorum: number;
  readonly policyId: string;
  readonly escalation?: Escalation;
};

/**
 * The mails about a pending approval: `Request` goes to its voters, `Reminder` to the voters who have not voted, and
 * `Escalation` to the added voters.
 */
export type NoticeKind = 'Request' | 'Reminder' | 'Escalation';

type Snapshot = Readonly<Record<string, unknown>>;

/** A request that signs with a wallet. The name of the member is the name under which the interface shows such a request. */
export type SignRequest =
  | { readonly transferRequest: Snapshot }
  | { readonly transactionRequest: Snapshot }
  | { readonly signatureRequest: Snapshot };

/** An activity as the interface shows it, at the moment of its judgement. */
export type Activity =
  | ({ readonly kind: 'Wallets:Sign' } & SignRequest)
  | { readonly kind: 'Wallets:IncomingTransaction'; readonly blockchainEvent: Snapshot }
  | { readonly kind: ChangeActivityKind; readonly changeRequest: Snapshot };

/** The finding of one policy about one activity. */
export type Evaluation = {
  readonly policyId: string;
  readonly policyVersion: number;
  readonly triggered: boolean;
  readonly reason: string;
};

/** A vendor's finding, if the policy uses the finding. */
export type EvaluationContext = { readonly context?: { readonly screening: Screening } };
