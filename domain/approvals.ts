import type { ChangeActivityKind } from './policies';
import type { Screening } from './screenings';

export const APPROVAL_STATUSES = ['Pending', 'Approved', 'Denied', 'Expired'] as const;
export type ApprovalStatus = (typeof APPROVAL_STATUSES)[number];

export type VoteValue = 'Approved' | 'Denied';
export type Vote = { readonly userId: string; readonly value: VoteValue };

/** The users who may vote, fixed at the request (S10): later users cannot. */
export type Seats = {
  /** Users whose approving vote counts. */
  readonly voterIds: readonly string[];
  /**
   * Listed users who may only deny: users who are too new, and, unless the group lets the initiator approve, the initiator and the accounts of the
   * same person.
   */
  readonly denierIds: readonly string[];
  /** The deniers among them who were too new. */
  readonly newIds?: readonly string[];
  /** Voters that are programs, each with the person it counts as. */
  readonly hands?: Readonly<Record<string, string>>;
};

/** Voters who count from a later moment on, as ISO 8601; none of them is among the group's first voters. */
export type Escalation = Seats & { readonly from: string };

export type ApprovalGroup = Seats & {
  /** The id of the group in its policy; absent where approval was requested before groups had ids. */
  readonly groupId?: string;
  readonly name: string | null;
  readonly quorum: number;
  readonly policyId: string;
  readonly escalation?: Escalation;
};

/** The recipients of a mail about a waiting approval: its voters, those who have not voted, those of an escalation. */
export type NoticeKind = 'Request' | 'Reminder' | 'Escalation';

type Snapshot = Readonly<Record<string, unknown>>;

/** A request that signs with a wallet, under the member that carries it on the wire. */
export type SignRequest =
  | { readonly transferRequest: Snapshot }
  | { readonly transactionRequest: Snapshot }
  | { readonly signatureRequest: Snapshot };

/** An activity as the interface shows it, at the moment it was judged. */
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

/** A vendor's finding, if the policy uses it. */
export type EvaluationContext = { readonly context?: { readonly screening: Screening } };
