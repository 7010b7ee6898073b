import type { Network } from '../../chains/types';
import type { Finding } from './compare';

/** One signed transaction, as the signing log or the rows record it. */
export type SignedUse = { readonly claims: readonly string[]; readonly signatures: readonly string[] };

/**
 * A contradiction about a sender: the chain shows something that neither log nor rows explain. `claim` names the sender, and
 * the coin or signature if there is one.
 */
export type Foreign = { readonly kind: Finding['kind']; readonly claim: string };

/** How one family's chains are compared with log and rows. */
export type FamilyEvidence = {
  /** The caller passes every signed transaction in the log and in the rows, before the first call of `judge`. */
  readonly know: (used: SignedUse) => void;
  /**
   * Whether the chain has used these claims or contains these signatures. Undefined if the claims and signatures belong to
   * another family. Never throws.
   */
  readonly standing: (used: SignedUse) => Promise<Finding['chain'] | undefined>;
  /**
   * Everything that the chain shows about a sender and that neither log nor rows know. Throws if the nodes do not reply or do
   * not agree.
   */
  readonly judge: (network: Network, address: string) => Promise<readonly Foreign[]>;
};
