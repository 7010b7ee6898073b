/**
 * The chains of hashes of an organisation: its events, and its audit log. Hashes and the signer's statements contain the name, so
 * a statement about one chain is never accepted as a statement about another chain.
 */
export const HASH_CHAINS = ['feed', 'audit'] as const;
export type HashChain = (typeof HASH_CHAINS)[number];
