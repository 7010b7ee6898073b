/** What can be frozen. A key takes all its wallets along, a network all wallets on it, and the organisation everything. */
export const FREEZE_TARGETS = ['Organization', 'Wallet', 'Key', 'Network'] as const;
export type FreezeTarget = (typeof FREEZE_TARGETS)[number];
