import { getAddress } from 'viem';
import type { ChainSignature } from '../../types';
import type { FullBlockReply, ReceiptReply, TransactionReply } from './block-schemas';
import { recovered, signatureWords } from './signed-words';
import { TEMPO_TX_TYPE } from './tempo-bytes';
import { tempoSignaturesIn } from './tempo-signatures';
import { authorizationDigest, signedBy } from './transaction-bytes';

type IsWatched = (address: string) => boolean;
type Parts = { readonly block: FullBlockReply; readonly receipts: readonly ReceiptReply[] };

/**
 * The signatures of watched senders, and of watched accounts that authorise code (EIP-7702). The block's roots do not prove the
 * sender that the node states, so `isGenuine` recovers the sender from the signature. Transactions without a signature, such as
 * deposits into a rollup, and transactions of unknown types are left out.
 */
export const blockSignaturesIn = ({ block, receipts }: Parts, isWatched: IsWatched): ChainSignature[] =>
  block.transactions.flatMap((tx, index) => [
    ...(tx.type === TEMPO_TX_TYPE ? tempoSignaturesIn(tx, receipts[index], isWatched) : ofSender(tx, isWatched)),
    ...(tx.authorizationList ?? []).flatMap((authorization) => {
      const authority = recovered(authorizationDigest(authorization), authorization, BigInt(authorization.yParity));
      if (authority === undefined || !isWatched(authority.toLowerCase())) return [];
      return [{ address: authority, txHash: tx.hash, ...signatureWords(authorization), isGenuine: async () => true }];
    }),
  ]);

function ofSender(tx: TransactionReply, isWatched: IsWatched): ChainSignature[] {
  const signed = isWatched(tx.from.toLowerCase()) ? signedBy(tx) : undefined;
  if (!signed || !tx.r || !tx.s || BigInt(tx.r) === 0n) return [];
  const words = signatureWords({ r: tx.r, s: tx.s });
  const address = getAddress(tx.from);
  const isGenuine = async () => recovered(signed.digestHex, words, signed.parity) === address;
  return [{ address, txHash: tx.hash, ...words, isGenuine }];
}
