import type { Evaluation } from '../domain/approvals';
import type { GroupDefinition } from '../domain/policies';
import type { Screening } from '../domain/screenings';
import type { TravelRuleStanding } from '../domain/travel-rules';

/** A wallet as filters see it. */
export type WalletFacts = { readonly walletId: string; readonly walletTags: readonly string[] };

/** The activities of one wallet within a window that ends now, including this one. */
export type WindowUsage = {
  readonly walletId: string;
  readonly timeframeMinutes: number;
  readonly count: number;
  /** The exact sum in micro-USD as a decimal string; null if the value of one of them is unknown. */
  readonly amountUsdMicro: string | null;
};

/** The wallet of a fee sponsor, and the most that it pays for an activity, as the exact value in micro-USD; null if no price is known. */
export type SponsorFacts = WalletFacts & { readonly amountUsdMicro: string | null };

/** The owner of the activity, the only fact that filters use. */
export type Subject = {
  /** Null for a key that never had a wallet, nor any key that it was derived from: only policies without a filter match it. */
  readonly walletId: string | null;
  readonly walletTags: readonly string[];
  /** The further wallets of a key that signs for all of them: a policy applies when its filters hold for any one (S3). */
  readonly otherWallets?: readonly WalletFacts[];
  /** True for an end user's own key, which is subject only to that user: policies judge only the fee that a sponsor pays. */
  readonly isOwnKey?: boolean;
  /** The payer of the fee, if not the sender: policies that apply to that wallet judge the fee. */
  readonly sponsor?: SponsorFacts;
};

/** The facts about one activity when it is judged. An unknown fact is marked unknown, never guessed. */
export type Facts = Subject & {
  readonly initiatorId: string;
  /** Canonical addresses that would receive value. Empty means that they are unknown. */
  readonly recipients: readonly string[];
  /** True for a transaction that can pay only its sender, such as a cancellation: whitelists have no recipient to check. */
  readonly paysNobody?: boolean;
  /** The exact value in micro-USD as a decimal string, with a fraction if it has one; null if no price or amount is known. */
  readonly amountUsdMicro: string | null;
  readonly network: string;
  /** One entry per wallet and window that an applicable policy asks for; a missing one counts as unknown. */
  readonly usage?: readonly WindowUsage[];
  /** The vendors' answers, one entry per vendor that an applicable policy asks for; a missing one counts as failed. */
  readonly screenings?: readonly Screening[];
  readonly travelRule?: TravelRuleStanding;
  /** The addresses of the registry entries that policies name; a missing entry lists no one. */
  readonly registryAddresses?: Readonly<Record<string, string>>;
};

/** The facts about a change of a permission, an assignment, a policy or the registry when it is judged. */
export type ChangeFacts = {
  readonly initiatorId: string;
  /** The permission that is changed, assigned or revoked; null for a change of something else. */
  readonly permissionId: string | null;
  /** The policy that is changed; null likewise. */
  readonly policyId: string | null;
};

export type RuleOutcome = { readonly triggered: boolean; readonly reason: string };

/** A group that must reach its quorum, and the policy that asks for it. */
export type GroupDemand = { readonly policyId: string; readonly definition: GroupDefinition };

export type Outcome = 'Cleared' | 'Blocked' | 'Held';

/** The joint verdict of all policies about one activity. Equal policies and facts give equal verdicts in any order. */
export type Verdict = {
  readonly outcome: Outcome;
  /** One entry per enforced policy whose filters apply, by policy id. */
  readonly evaluations: readonly Evaluation[];
  /** The same for policies in `Shadow`, which have no effect. */
  readonly shadows: readonly Evaluation[];
  /** Policies that block; empty unless the outcome is `Blocked`. */
  readonly blockedBy: readonly string[];
  /** Groups of every triggered policy; empty unless the outcome is `Held`. */
  readonly groups: readonly GroupDemand[];
  /** The shortest time-out among the triggered policies; null if none of them expires. */
  readonly autoRejectTimeoutMinutes: number | null;
};
