import type { Network } from '../../chains/types';
import type { Finding } from './compare';

export type SignedUse = { readonly claims: readonly string[]; readonly signatures: readonly string[] };

/**
 * A trace on the chain that neither log nor rows explain. `claim` names the sender, and the coin or signature if the trace has
 * one.
 */
export type Foreign = { readonly kind: Finding['kind']; readonly claim: string };

export type FamilyEvidence = {
  /** Must receive every signed transaction of the log and the rows before the first call of `judge`. */
  readonly know: (used: SignedUse) => void;
  /** Undefined if the claims and signatures belong to another family. Never throws. */
  readonly standing: (used: SignedUse) => Promise<Finding['chain'] | undefined>;
  /** Throws if the nodes do not reply or do not agree. */
  readonly judge: (network: Network, address: string) => Promise<readonly Foreign[]>;
};
