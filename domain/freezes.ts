/** What can be frozen. A key takes all its wallets along, a network all wallets on it, and the organisation everything. */
export const FREEZE_TARGETS = ['Organization', 'Wallet', 'Key', 'Network'] as const;
export type FreezeTarget = (typeof FREEZE_TARGETS)[number];

/** A freeze, named for an activity: ids only, everything else is read from the rows. */
export type FreezeRef = { readonly orgId: string; readonly freezeId: string };

/** Instead of a step that was not done because a freeze stands in its way. */
export type Frozen = { readonly frozenBy: string };
export const isFrozen = (answer: unknown): answer is Frozen =>
  typeof answer === 'object' && answer !== null && 'frozenBy' in answer;
