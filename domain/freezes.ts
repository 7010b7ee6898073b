/** The targets of a freeze. A key includes all its wallets, a network all wallets on it, and the organisation everything. */
export const FREEZE_TARGETS = ['Organization', 'Wallet', 'Key', 'Network'] as const;
export type FreezeTarget = (typeof FREEZE_TARGETS)[number];

/** A freeze, named for an activity: ids only, everything else is read from the rows. */
export type FreezeRef = { readonly orgId: string; readonly freezeId: string };

/** Returned instead of a step that a freeze prevented. */
export type Frozen = { readonly frozenBy: string };
export const isFrozen = (answer: unknown): answer is Frozen =>
  typeof answer === 'object' && answer !== null && 'frozenBy' in answer;
