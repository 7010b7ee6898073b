import type { Evaluation } from '../domain/approvals';
import type { GroupDefinition } from '../domain/policies';
import type { Screening } from '../domain/screenings';
import type { TravelRuleStanding } from '../domain/travel-rules';

export type WalletFacts = { readonly walletId: string; readonly walletTags: readonly string[] };

/** The key store that holds the signing key. All wallets of a key are in the store of the key. Absent if the store is unknown. */
export type KeyFacts = { readonly storeId?: string };

/** The window ends at the judgement and includes the activity that is judged. */
export type WindowUsage = {
  readonly walletId: string;
  readonly timeframeMinutes: number;
  readonly count: number;
  /** The exact sum as a decimal string; null if the value of one of the activities is unknown. */
  readonly amountUsdMicro: string | null;
};

/** `amountUsdMicro` is the exact value of the highest fee that the sponsor's wallet may pay; null if no price is known. */
export type SponsorFacts = WalletFacts & KeyFacts & { readonly amountUsdMicro: string | null };

/** The key and the wallets of an activity and of its fee. Filters use no other facts. */
export type Subject = KeyFacts & {
  /** Null if neither the key nor any of its master keys ever had a wallet. Then only policies without a filter apply. */
  readonly walletId: string | null;
  readonly walletTags: readonly string[];
  /** The key signs for all its wallets, so a policy applies if its filters match any of these wallets (S3). */
  readonly otherWallets?: readonly WalletFacts[];
  /** True for an end user's own key, which only that user controls. Policies then judge only a fee that a sponsor pays. */
  readonly isOwnKey?: boolean;
  /** Present if a wallet other than the sender pays the fee. The policies of the payer's wallet judge the fee. */
  readonly sponsor?: SponsorFacts;
};

/** An unknown fact is never guessed. */
export type Facts = Subject & {
  readonly initiatorId: string;
  /** Canonical addresses that would receive value; empty if the recipients are unknown. */
  readonly recipients: readonly string[];
  /** True for a transaction that pays only its sender, such as a cancellation. */
  readonly paysNobody?: boolean;
  /** The exact value as a decimal string, which may have a fraction; null if no price or amount is known. */
  readonly amountUsdMicro: string | null;
  readonly network: string;
  /** One entry for each wallet and window that an applicable policy uses. A missing entry is treated as unknown. */
  readonly usage?: readonly WindowUsage[];
  /** One entry for each vendor that an applicable policy uses. A missing entry is treated as a failed screening. */
  readonly screenings?: readonly Screening[];
  readonly travelRule?: TravelRuleStanding;
  /** The addresses of the registry entries that policies name, by entry id. A missing entry matches no recipient. */
  readonly registryAddresses?: Readonly<Record<string, string>>;
};

/** A change of a permission, an assignment, a policy or the registry. */
export type ChangeFacts = {
  readonly initiatorId: string;
  /** The permission that is changed, assigned or revoked; null for a change of something else. */
  readonly permissionId: string | null;
  /** Null for a change of something else. */
  readonly policyId: string | null;
};

export type RuleOutcome = { readonly triggered: boolean; readonly reason: string };

export type GroupDemand = { readonly policyId: string; readonly definition: GroupDefinition };

export type Outcome = 'Cleared' | 'Blocked' | 'Held';

/** Depends only on the policies and the facts, not on the order of policies. */
export type Verdict = {
  readonly outcome: Outcome;
  /** One entry per enforced policy that judges the activity or the fee of its sponsor, sorted by policy id. */
  readonly evaluations: readonly Evaluation[];
  /** The evaluations of policies in `Shadow`, which have no effect. */
  readonly shadows: readonly Evaluation[];
  /** Empty unless the outcome is `Blocked`. */
  readonly blockedBy: readonly string[];
  /** Groups of every triggered policy; empty unless the outcome is `Held`. */
  readonly groups: readonly GroupDemand[];
  /** The shortest time-out among the triggered policies; null if no triggered policy has a time-out. */
  readonly autoRejectTimeoutMinutes: number | null;
};
