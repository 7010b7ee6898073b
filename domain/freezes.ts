/**
 * A freeze of a key freezes all wallets of the key, a freeze of a network freezes all wallets on the network, and a freeze of an
 * organisation freezes everything in the organisation.
 */
export const FREEZE_TARGETS = ['Organization', 'Wallet', 'Key', 'Network'] as const;
export type FreezeTarget = (typeof FREEZE_TARGETS)[number];

export type FreezeRef = { readonly orgId: string; readonly freezeId: string };

export type Frozen = { readonly frozenBy: string };
export const isFrozen = (answer: unknown): answer is Frozen =>
  typeof answer === 'object' && answer !== null && 'frozenBy' in answer;
