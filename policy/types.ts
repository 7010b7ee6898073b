import type { Evaluation } from '../domain/approvals';
import type { GroupDefinition } from '../domain/policies';
import type { Screening } from '../domain/screenings';
import type { TravelRuleStanding } from '../domain/travel-rules';

/** A wallet as filters look at it. */
export type WalletFacts = { readonly walletId: string; readonly walletTags: readonly string[] };

/** What one wallet has done within a window that ends now, this activity included. */
export type WindowUsage = {
  readonly walletId: string;
  readonly timeframeMinutes: number;
  readonly count: number;
  /** The exact sum in micro-USD as a decimal string; null where the value of one of them is not known. */
  readonly amountUsdMicro: string | null;
};

/** The wallet of a fee sponsor, and the most that it pays for an activity, as the exact value in micro-USD; null where no price is known. */
export type SponsorFacts = WalletFacts & { readonly amountUsdMicro: string | null };

/** Whose the activity is, which is all that filters look at. */
export type Subject = {
  /** Null for a key that never had a wallet, itself or by the keys that it was derived from: it is inside no filter, and every policy without one holds. */
  readonly walletId: string | null;
  readonly walletTags: readonly string[];
  /** The further wallets of a key that signs for all of them: a policy applies when its filters hold for any one (S3). */
  readonly otherWallets?: readonly WalletFacts[];
  /** True for an end user's own key, which answers to that user alone: policies judge only what a sponsor pays. */
  readonly isOwnKey?: boolean;
  /** Who pays the fee in the sender's place: policies that apply to that wallet judge the fee. */
  readonly sponsor?: SponsorFacts;
};

/** What is known about one activity when it is judged. What is unknown is said to be unknown, never guessed. */
export type Facts = Subject & {
  readonly initiatorId: string;
  /** Canonical addresses that would receive value. Empty means that they could not be told. */
  readonly recipients: readonly string[];
  /** True for a transaction that can pay nobody but its sender, such as a cancellation: whitelists have no recipient to look at. */
  readonly paysNobody?: boolean;
  /** The exact value in micro-USD as a decimal string, with a fraction where it has one; null where no price or amount is known. */
  readonly amountUsdMicro: string | null;
  readonly network: string;
  /** One entry per wallet and window that a policy which applies asks for; a missing one counts as unknown. */
  readonly usage?: readonly WindowUsage[];
  /** What vendors said, one entry per vendor that a policy which applies asks for; a missing one counts as failed. */
  readonly screenings?: readonly Screening[];
  readonly travelRule?: TravelRuleStanding;
  /** The addresses behind the registry entries that policies name; an entry that is missing lists nobody. */
  readonly registryAddresses?: Readonly<Record<string, string>>;
};

/** What is known about a change of a permission, an assignment, a policy or the registry when it is judged. */
export type ChangeFacts = {
  readonly initiatorId: string;
  /** The permission that is changed, assigned or revoked; null where the change is of something else. */
  readonly permissionId: string | null;
  /** The policy that is changed; null likewise. */
  readonly policyId: string | null;
};

export type RuleOutcome = { readonly triggered: boolean; readonly reason: string };

/** A group that must reach its quorum, and the policy that asks for it. */
export type GroupDemand = { readonly policyId: string; readonly definition: GroupDefinition };

export type Outcome = 'Cleared' | 'Blocked' | 'Held';

/** What all policies together say about one activity. Equal policies and facts give equal verdicts in whatever order they come. */
export type Verdict = {
  readonly outcome: Outcome;
  /** One entry per enforced policy whose filters apply, by policy id. */
  readonly evaluations: readonly Evaluation[];
  /** The same of policies in `Shadow`, which count for nothing. */
  readonly shadows: readonly Evaluation[];
  /** Policies that block; empty unless the outcome is `Blocked`. */
  readonly blockedBy: readonly string[];
  /** Groups of every triggered policy; empty unless the outcome is `Held`. */
  readonly groups: readonly GroupDemand[];
  /** The shortest time-out among the triggered policies; null when none of them expires. */
  readonly autoRejectTimeoutMinutes: number | null;
};
