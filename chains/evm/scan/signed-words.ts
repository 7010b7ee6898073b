import { signerOf } from '../signatures';
import { paddedWord } from './rlp-items';

/** The numbers of a signature as a node returns them, perhaps without leading zeros. */
export type Words = { readonly r: string; readonly s: string };

export const signatureWords = ({ r, s }: Words): Words => ({ r: paddedWord(r), s: paddedWord(s) });

/** The address of the key that signed the digest. */
export function recovered(digestHex: string, words: Words, parity: bigint): string | undefined {
  if (parity !== 0n && parity !== 1n) return undefined;
  return signerOf(digestHex, { ...signatureWords(words), recoveryId: parity === 0n ? 0 : 1 });
}
