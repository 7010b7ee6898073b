import type { AmendmentKind } from '../../domain/amendments';
import type { VoteValue } from '../../domain/approvals';
import type { FreezeTarget } from '../../domain/freezes';
import type { PolicyMode } from '../../domain/policies';
import type { Obstacle } from '../../domain/reachability';
import type { ScreeningVendor } from '../../domain/screenings';
import type { ReplacementKind } from '../../domain/transfers';
import type { TravelRuleState } from '../../domain/travel-rules';
import type { BlockerKind, Stage } from '../../domain/waiting-stages';

export const SUBJECT_KINDS = ['Transfer', 'Transaction', 'Signature', 'ChangeRequest'] as const;
export type SubjectKind = (typeof SUBJECT_KINDS)[number];

export const SEAT_STANDINGS = ['MayDecide', 'MayOnlyDeny', 'Later', 'HasVoted', 'Gone'] as const;
export type SeatStanding = (typeof SEAT_STANDINGS)[number];

export type NamedPerson = { readonly userId: string; readonly name: string };

export type Seat = NamedPerson & {
  readonly standing: SeatStanding;
  readonly vote?: { readonly value: VoteValue; readonly date: string; readonly reason: string | null };
  /** Why this person can no longer decide, or may only deny. */
  readonly obstacle?: Obstacle;
  /** The time at which the person becomes a voter of the group. */
  readonly from?: string;
};

export type ExplainedGroup = {
  readonly name: string | null;
  readonly policyId: string;
  readonly policyName: string;
  readonly quorum: number;
  readonly have: number;
  /** The quorum or, if the quorum is out of reach, the highest number of approvals that the group can still get. */
  readonly most: number;
  readonly people: Seat[];
};

export type ExplainedApproval = {
  readonly approvalId: string;
  readonly status: string;
  readonly dateExpires: string | null;
  /** When the nightly check found the quorum out of reach; null without such a finding. */
  readonly unreachableSince: string | null;
  readonly isReachable: boolean;
  readonly groups: ExplainedGroup[];
};

export type PolicyFinding = {
  readonly policyId: string;
  readonly name: string;
  readonly version: number;
  readonly mode: PolicyMode;
  readonly rule: string | null;
  readonly action: string | null;
  readonly triggered: boolean;
  readonly reason: string;
};

export type JudgedFacts = {
  readonly dateJudged: string;
  readonly outcome: string;
  /** Decimal dollars; null if no price or amount is known. */
  readonly amountUsd: string | null;
  /** Empty if the recipients are unknown. */
  readonly recipients: string[];
  readonly network: string | null;
  readonly walletIds: string[];
};

export type ExplainedFee = {
  /** In smallest units of the asset with the first symbol. Every asset that may pay the fee has the same decimals. */
  readonly ceilingUnits: string;
  readonly decimals: number;
  readonly symbols: string[];
  /** Null if the wallet pays the fee itself. */
  readonly sponsor: { readonly feeSponsorId: string; readonly name: string | null; readonly address: string | null } | null;
};

/** `by` is empty if the approval ended automatically. */
export type ApprovalEnd = {
  readonly kind: 'Approved' | 'Denied' | 'Withdrawn' | 'Unasked' | 'Expired';
  readonly by: readonly NamedPerson[];
};

/** `Nothing`: no one votes. */
export const NEXT_DECISIONS = ['Approve', 'Deny', 'Nothing'] as const;
export const NEXT_OUTCOMES = ['Released', 'GroupComplete', 'OneMore', 'Rejected', 'Waits'] as const;
export type Next = {
  readonly decision: (typeof NEXT_DECISIONS)[number];
  readonly outcome: (typeof NEXT_OUTCOMES)[number];
  /** The people whose decision has this consequence. */
  readonly by: NamedPerson[];
  readonly sentence: string;
};

export type Explanation = {
  readonly subject: { readonly kind: SubjectKind; readonly id: string };
  readonly stage: Stage;
  readonly since: string;
  /** When and how the wait ends without a decision; null if the wait has no such end. */
  readonly until: { readonly date: string; readonly outcome: string } | null;
  readonly initiator: NamedPerson;
  readonly summary: string;
  readonly sentences: string[];
  readonly approval: ExplainedApproval | null;
  readonly freeze: {
    readonly freezeId: string;
    readonly target: { readonly kind: FreezeTarget; readonly id: string };
    readonly reason: string;
    readonly since: string;
    /** Null for a freeze by the service itself. */
    readonly by: NamedPerson | null;
  } | null;
  /** Null unless the record waits for the signature of an offline device. */
  readonly offline: {
    readonly storeId: string;
    /** Null until a group carries the record to the device. */
    readonly group: { readonly groupId: string; readonly since: string; readonly by: NamedPerson } | null;
  } | null;
  readonly screenings: {
    readonly screeningId: string;
    readonly vendor: ScreeningVendor;
    readonly dateAsked: string;
    readonly dateAnswered: string | null;
    readonly result: string | null;
  }[];
  readonly travelRule: {
    readonly messageId: string;
    readonly state: TravelRuleState;
    readonly dateAsked: string;
    readonly dateTriggers: string | null;
    readonly dateClears: string | null;
  } | null;
  /** The earlier request that this request seems to duplicate. Null unless this request waits for confirmation. */
  readonly equalPayment: { readonly requestId: string; readonly until: string } | null;
  /** Null unless the record replaces a request, is replaced, or is being aborted. */
  readonly replacement: {
    readonly kind: ReplacementKind | null;
    readonly takesPlaceOf: string | null;
    readonly replacedBy: string | null;
    readonly isAborting: boolean;
  } | null;
  readonly hindrance: { readonly kind: BlockerKind; readonly since: string; readonly detail: string | null } | null;
  /** Oldest first. Empty unless an outdated charter may be the reason why the signer refused the record. */
  readonly waitingAmendments: { readonly amendmentId: string; readonly kind: AmendmentKind; readonly since: string }[];
  /** Null for a record without a fee. */
  readonly fee: ExplainedFee | null;
  readonly facts: JudgedFacts | null;
  readonly policies: PolicyFinding[];
  readonly next: Next[];
};
