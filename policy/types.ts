import type { Evaluation } from '../domain/approvals';
import type { GroupDefinition } from '../domain/policies';
import type { Screening } from '../domain/screenings';
import type { TravelRuleStanding } from '../domain/travel-rules';

/** A wallet as filters see it. */
export type WalletFacts = { readonly walletId: string; readonly walletTags: readonly string[] };

/** The activities of one wallet within a window that ends at the judgement, including the activity that is judged. */
export type WindowUsage = {
  readonly walletId: string;
  readonly timeframeMinutes: number;
  readonly count: number;
  /** The exact sum in micro-USD as a decimal string; null if the value of one of the activities is unknown. */
  readonly amountUsdMicro: string | null;
};

/**
 * The sponsor's wallet. `amountUsdMicro` is the exact value of the highest fee that the wallet may pay; null if no price is
 * known.
 */
export type SponsorFacts = WalletFacts & { readonly amountUsdMicro: string | null };

/** The wallets of an activity, including the wallet that pays the fee. Filters use no other facts. */
export type Subject = {
  /**
   * Null if the key never had a wallet, and the keys from which the key was derived never had a wallet either. In this case
   * only policies without a filter apply.
   */
  readonly walletId: string | null;
  readonly walletTags: readonly string[];
  /**
   * The other wallets of the key. The key signs for all its wallets, so a policy applies if its filters match any of these
   * wallets (S3).
   */
  readonly otherWallets?: readonly WalletFacts[];
  /** True for an end user's own key, which only that user controls. Policies then judge only a fee that a sponsor pays. */
  readonly isOwnKey?: boolean;
  /**
   * The payer of the fee, if another wallet than the sender pays the fee. The policies that apply to the payer's wallet judge
   * the fee.
   */
  readonly sponsor?: SponsorFacts;
};

/** The facts about one activity when it is judged. An unknown fact is never guessed. */
export type Facts = Subject & {
  readonly initiatorId: string;
  /** Canonical addresses that would receive value; empty if they are unknown. */
  readonly recipients: readonly string[];
  /**
   * True for a transaction that pays only its sender, such as a cancellation. For such a transaction a whitelist has no
   * recipient to check.
   */
  readonly paysNobody?: boolean;
  /** The exact value in micro-USD as a decimal string, which may have a fraction; null if no price or amount is known. */
  readonly amountUsdMicro: string | null;
  readonly network: string;
  /** One entry for each wallet and window that an applicable policy uses. A missing entry counts as unknown. */
  readonly usage?: readonly WindowUsage[];
  /**
   * The vendors' answers: one entry for each vendor that an applicable policy uses. A missing entry counts as a failed
   * screening.
   */
  readonly screenings?: readonly Screening[];
  readonly travelRule?: TravelRuleStanding;
  /** The addresses of the registry entries that policies name, by entry id. A missing entry matches no recipient. */
  readonly registryAddresses?: Readonly<Record<string, string>>;
};

/** The facts about a change of a permission, an assignment, a policy or the registry when it is judged. */
export type ChangeFacts = {
  readonly initiatorId: string;
  /** The permission that is changed, assigned or revoked; null for a change of something else. */
  readonly permissionId: string | null;
  /** The policy that is changed; null for a change of something else. */
  readonly policyId: string | null;
};

export type RuleOutcome = { readonly triggered: boolean; readonly reason: string };

/** A group that must reach its quorum, and the policy that asks for this group. */
export type GroupDemand = { readonly policyId: string; readonly definition: GroupDefinition };

export type Outcome = 'Cleared' | 'Blocked' | 'Held';

/**
 * The joint verdict of all policies on one activity. The verdict depends only on the policies and the facts, not on the order
 * of policies.
 */
export type Verdict = {
  readonly outcome: Outcome;
  /** One entry per enforced policy that judges the activity or the fee of its sponsor, sorted by policy id. */
  readonly evaluations: readonly Evaluation[];
  /** The evaluations of policies in `Shadow`, which have no effect. */
  readonly shadows: readonly Evaluation[];
  /** Policies that block; empty unless the outcome is `Blocked`. */
  readonly blockedBy: readonly string[];
  /** Groups of every triggered policy; empty unless the outcome is `Held`. */
  readonly groups: readonly GroupDemand[];
  /** The shortest time-out among the triggered policies; null if none of these policies has a time-out. */
  readonly autoRejectTimeoutMinutes: number | null;
};
