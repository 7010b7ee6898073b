import type { Network } from '../../chains/types';
import type { Finding } from './compare';

export type SignedUse = { readonly claims: readonly string[]; readonly signatures: readonly string[] };

/**
 * A fact on the chain that neither log nor rows explain. `claim` contains the sender, and the coin or the signature if there is
 * one.
 */
export type Foreign = { readonly kind: Finding['kind']; readonly claim: string };

export type FamilyEvidence = {
  /** Must be called for every signed transaction in the log and the rows before the first call of `judge`. */
  readonly know: (used: SignedUse) => void;
  /** Undefined if the claims and signatures belong to another family. Never throws. */
  readonly standing: (used: SignedUse) => Promise<Finding['chain'] | undefined>;
  /** Throws if the nodes do not respond or do not agree. */
  readonly judge: (network: Network, address: string) => Promise<readonly Foreign[]>;
};
