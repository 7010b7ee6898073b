import type { ChangeActivityKind } from './policies';
import type { Screening } from './screenings';

export const APPROVAL_STATUSES = ['Pending', 'Approved', 'Denied', 'Expired'] as const;
export type ApprovalStatus = (typeof APPROVAL_STATUSES)[number];

export type VoteValue = 'Approved' | 'Denied';
export type Vote = { readonly userId: string; readonly value: VoteValue };

/** The users who may vote, fixed at the request (S10): later users cannot. */
export type Seats = {
  /** Users whose approval counts. */
  readonly voterIds: readonly string[];
  /** Listed users who may only deny: the initiator with its hands if the group does not let it approve, and users who are too new. */
  readonly denierIds: readonly string[];
  /** The deniers among them who were too new. */
  readonly newIds?: readonly string[];
  /** Voters that are programs, each with the person it counts as. */
  readonly hands?: Readonly<Record<string, string>>;
};

/** Seats that count from a moment on, as ISO 8601; no user has both one of these and one of the group's first seats. */
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

/** A vendor's finding, if the policy looks at it. */
export type EvaluationContext = { readonly context?: { readonly screening: Screening } };
