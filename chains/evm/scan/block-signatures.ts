import { getAddress } from 'viem';
import type { ChainSignature } from '../../types';
import { signerOf } from '../signatures';
import type { FullBlockReply, TransactionReply } from './block-schemas';
import { authorizationDigest, signedBy } from './transaction-bytes';

type Words = { readonly r: string; readonly s: string };
type IsWatched = (address: string) => boolean;

const WORD_CHARS = 64;
const wordOf = (quantity: string): string => `0x${quantity.slice(2).padStart(WORD_CHARS, '0')}`;

/**
 * The signatures of watched senders, and of watched accounts that authorise code (EIP-7702). The node names the sender of a
 * transaction, and nothing in the block's roots does. Transactions without a signature, such as deposits into a rollup, and
 * transactions of types that only one network has are left out.
 */
export const blockSignaturesIn = ({ transactions }: FullBlockReply, isWatched: IsWatched): ChainSignature[] =>
  transactions.flatMap((tx) => [
    ...(isWatched(tx.from.toLowerCase()) ? ofSender(tx) : []),
    ...(tx.authorizationList ?? []).flatMap((authorization) => {
      const authority = recovered(authorizationDigest(authorization), authorization, BigInt(authorization.yParity));
      if (authority === undefined || !isWatched(authority.toLowerCase())) return [];
      return [{ address: authority, txHash: tx.hash, ...wordsOf(authorization), isGenuine: async () => true }];
    }),
  ]);

function ofSender(tx: TransactionReply): ChainSignature[] {
  const signed = signedBy(tx);
  if (!signed || !tx.r || !tx.s || BigInt(tx.r) === 0n) return [];
  const words = wordsOf({ r: tx.r, s: tx.s });
  const address = getAddress(tx.from);
  const isGenuine = async () => recovered(signed.digestHex, words, signed.parity) === address;
  return [{ address, txHash: tx.hash, ...words, isGenuine }];
}

const wordsOf = ({ r, s }: Words): Words => ({ r: wordOf(r), s: wordOf(s) });

function recovered(digestHex: string, words: Words, parity: bigint): string | undefined {
  if (parity !== 0n && parity !== 1n) return undefined;
  return signerOf(digestHex, { ...wordsOf(words), recoveryId: parity === 0n ? 0 : 1 });
}
