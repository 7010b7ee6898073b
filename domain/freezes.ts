/**
 * The targets of a freeze. A freeze of a key freezes all wallets of the key. A freeze of a network freezes all wallets on the
 * network. A freeze of an organisation freezes everything in the organisation.
 */
export const FREEZE_TARGETS = ['Organization', 'Wallet', 'Key', 'Network'] as const;
export type FreezeTarget = (typeof FREEZE_TARGETS)[number];

/** Identifies a freeze to a Temporal activity by ids only. The activity reads everything else from the rows. */
export type FreezeRef = { readonly orgId: string; readonly freezeId: string };

/** The result of a step that a freeze prevented. */
export type Frozen = { readonly frozenBy: string };
export const isFrozen = (answer: unknown): answer is Frozen =>
  typeof answer === 'object' && answer !== null && 'frozenBy' in answer;
