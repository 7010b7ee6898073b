import type { Network } from '../../chains/types';
import type { Finding } from './compare';

/** What signing log or rows know of one signed transaction. */
export type SignedUse = { readonly claims: readonly string[]; readonly signatures: readonly string[] };

/** What contradicts log and rows at one sender, each with what it is about. */
export type Foreign = { readonly kind: Finding['kind']; readonly claim: string };

/** How the chains of one family are compared with log and rows. */
export type FamilyEvidence = {
  /** Called with everything that log and rows hold before the first `judge`. */
  readonly know: (used: SignedUse) => void;
  /** What the chain says of these claims or signatures; undefined where they are not of this family. Never throws. */
  readonly standing: (used: SignedUse) => Promise<Finding['chain'] | undefined>;
  /** What the chain knows of a sender that neither log nor rows know. Throws where the nodes do not tell. */
  readonly judge: (network: Network, address: string) => Promise<readonly Foreign[]>;
};
