import { getAddress } from 'viem';
import type { ChainSignature } from '../../types';
import type { ReceiptReply, TransactionReply } from './block-schemas';
import { recovered, signatureWords, type Words } from './signed-words';
import {
  digestForKey,
  feePayerDigest,
  keyAuthorizationDigest,
  senderDigest,
  type TempoTransaction,
  tempoTransactionIn,
} from './tempo-bytes';
import type { TempoSignature } from './tempo-schemas';
import { authorizationDigest } from './transaction-bytes';

const ADDRESS_CHARS = 40;

type IsWatched = (address: string) => boolean;
type Signed = { readonly signature: Words & { readonly yParity: string }; readonly digestHex: () => string };

/**
 * The signatures by keys of watched accounts in a transaction of Tempo. The signing account can be the sender, pay the fee, sign
 * for another account, authorise code, or authorise a key. Keys on other curves can sign too, but no wallet has such a key.
 */
export function tempoSignaturesIn(
  tx: TransactionReply,
  receipt: ReceiptReply | undefined,
  isWatched: IsWatched,
): ChainSignature[] {
  const read = tempoTransactionIn(tx);
  if (!read) return [];
  return [
    ...claimed(
      tx,
      keyOf(read),
      bySecp256k1(read.signature, () => senderDigest(read)),
      isWatched,
    ),
    ...ofFeePayer(read, receipt, isWatched),
    ...authorized(read).flatMap((signed) => found(tx, signed, isWatched)),
  ];
}

/** The account whose key signs for the sender, if the node names the account. */
const keyOf = ({ tx, signature }: TempoTransaction): string | null | undefined =>
  'userAddress' in signature ? signature.keyId : tx.from;

/**
 * The last log of the receipt is the transfer of the fee, and names the account that paid. Recovering a key is too slow to be
 * done for every sponsored transaction.
 */
function ofFeePayer(read: TempoTransaction, receipt: ReceiptReply | undefined, isWatched: IsWatched): ChainSignature[] {
  const { feePayerSignature: signature } = read.tx;
  const payer = receipt?.logs.at(-1)?.topics[1]?.slice(-ADDRESS_CHARS);
  if (!signature || payer === undefined || !isWatched(`0x${payer}`)) return [];
  return found(read.tx, { signature, digestHex: () => feePayerDigest(read) }, isWatched);
}

function authorized({ authorizations, keyAuthorization }: TempoTransaction): Signed[] {
  return [
    ...authorizations.flatMap((one) => bySecp256k1(one.signature, () => authorizationDigest(one))),
    ...(keyAuthorization ? bySecp256k1(keyAuthorization.signature, () => keyAuthorizationDigest(keyAuthorization)) : []),
  ];
}

function bySecp256k1(envelope: TempoSignature, digestHex: () => string): Signed[] {
  const signature = 'userAddress' in envelope ? envelope.signature : envelope;
  if (signature.type !== 'secp256k1') return [];
  return [{ signature, digestHex: () => digestForKey(envelope, digestHex()) }];
}

/** The node names the account, so the key is recovered only for a watched account. */
function claimed(
  tx: TransactionReply,
  account: string | null | undefined,
  signed: readonly Signed[],
  isWatched: IsWatched,
): ChainSignature[] {
  if (!account) return signed.flatMap((one) => found(tx, one, isWatched));
  if (!isWatched(account.toLowerCase())) return [];
  const address = getAddress(account);
  return signed.map((one) => ({
    ...{ address, txHash: tx.hash, ...signatureWords(one.signature) },
    isGenuine: async () => signerIn(one) === address,
  }));
}

function found(tx: TransactionReply, signed: Signed, isWatched: IsWatched): ChainSignature[] {
  const address = signerIn(signed);
  if (address === undefined || !isWatched(address.toLowerCase())) return [];
  return [{ address, txHash: tx.hash, ...signatureWords(signed.signature), isGenuine: async () => true }];
}

const signerIn = ({ signature, digestHex }: Signed): string | undefined =>
  recovered(digestHex(), signature, BigInt(signature.yParity));
