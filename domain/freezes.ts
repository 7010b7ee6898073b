/**
 * The targets of a freeze. A frozen key freezes all its wallets, a frozen network all wallets on it, and a frozen organisation
 * everything.
 */
export const FREEZE_TARGETS = ['Organization', 'Wallet', 'Key', 'Network'] as const;
export type FreezeTarget = (typeof FREEZE_TARGETS)[number];

/** Identifies a freeze to a Temporal activity by ids only. The activity reads everything else from the rows. */
export type FreezeRef = { readonly orgId: string; readonly freezeId: string };

/** The result of a step that a freeze prevented. */
export type Frozen = { readonly frozenBy: string };
export const isFrozen = (answer: unknown): answer is Frozen =>
  typeof answer === 'object' && answer !== null && 'frozenBy' in answer;
