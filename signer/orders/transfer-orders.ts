import { z } from 'zod';
import { NONCE_ACCOUNTS_AT_ONCE_MAX } from '../../domain/nonce-accounts';
import { PSBT_BYTES_MAX } from '../../domain/transfers';
import { EncryptedInput, OrderIntent } from '../judging/order-intent';
import { EvidenceList } from '../record/evidence';
import { Address, Bytes, hex, Id, ManyBytes, Moment, Units } from '../wire/schemas';
import { DekRow, SealedKeyRow } from './key-rows';

/**
 * What was approved together with the bytes that are to do exactly that. `requestId` is the transfer's id. `intentId` is what survives a database that
 * has forgotten the transfer, such as the caller's external id: one intent never gets a second payload. Times are ISO 8601 in UTC; fees are in the network's smallest units.
 */
export const SignTransferOrder = z.strictObject({
  requestId: Id,
  intentId: z.string().min(1).max(512).optional(),
  orgId: Id,
  keyId: Id,
  network: z.string().min(1).max(64),
  chainId: z.int().positive(),
  intent: OrderIntent,
  /** For the intent of a token that hides amounts, and no other. */
  encrypted: EncryptedInput.optional(),
  nonce: z.int().nonnegative(),
  /** The lane in which the nonce counts, where the sender has several counts; left out for the account's own. */
  nonceKey: Units.optional(),
  /** The request with which this one competes for its nonce; it must have been given a signature for the same nonce, if for any. */
  replaces: Id.optional(),
  feeCeilingUnits: Units,
  bytesHex: Bytes,
  sealed: SealedKeyRow,
  dek: DekRow,
  ...Moment,
  evidence: EvidenceList.optional(),
  policyEpoch: z.int().nonnegative().optional(),
});
export type SignTransferOrder = z.infer<typeof SignTransferOrder>;

/**
 * The same for a transfer that another account sends and pays for: `bytesHex` is the sponsor's transaction with one operation of the sender in it, and
 * `nonce` is the sponsor's. `Operation` asks for the sender's signatures with its key, the operation's and then that of the authorization in the bytes, if
 * there is one; `Transaction` asks for the sponsor's with its own key, when those two stand in the bytes.
 */
export const SignSponsoredOrder = SignTransferOrder.omit({ nonceKey: true }).extend({
  sponsor: Address,
  part: z.enum(['Operation', 'Transaction']),
});
export type SignSponsoredOrder = z.infer<typeof SignSponsoredOrder>;

/**
 * The same for the Bitcoin family: `bytesHex` is a PSBT that spends coins of the sender alone, and pays the recipient and the sender alone. An amount of
 * 0 to the sender itself takes the coins home. With `callDigest`, SHA-256 over the canonical JSON of the PSBT as somebody else has made it, it is a raw
 * transaction: it may have several recipients, of whom `to` is the first, and inputs of others beside the sender's. `replaces` is a request that was given signatures for at least one of the same coins.
 */
export const SignUtxoOrder = SignTransferOrder.omit({ chainId: true, nonce: true, nonceKey: true, encrypted: true }).extend({
  intent: z.strictObject({ from: Address, to: Address, amountUnits: Units, callDigest: hex(32).optional() }),
  bytesHex: ManyBytes(PSBT_BYTES_MAX),
});
export type SignUtxoOrder = z.infer<typeof SignUtxoOrder>;

/**
 * The same for Solana. `bytesHex` is the message. Without `nonceAccount` it lives by a blockhash; with it it begins by advancing that durable nonce, of
 * which the sender is the authority. With `sponsor` that account pays the fee and signs first: the sender's key signs without `walletSignatureHex`, and the
 * sponsor's own key with it, when it is the sender's over these very bytes.
 */
export const SignSolanaOrder = SignTransferOrder.omit({ chainId: true, nonce: true, nonceKey: true, encrypted: true }).extend({
  nonceAccount: Address.optional(),
  sponsor: Address.optional(),
  walletSignatureHex: hex(64).optional(),
  intent: z.strictObject({
    from: Address,
    to: Address,
    amountUnits: Units,
    asset: z.discriminatedUnion('kind', [
      z.strictObject({ kind: z.literal('Native') }),
      z.strictObject({ kind: z.enum(['Spl', 'Spl2022']), contract: Address }),
      z.strictObject({ kind: z.literal('Call') }),
    ]),
    memo: z.string().max(64).optional(),
    createsDestination: z.boolean().optional(),
    callDigest: hex(32).optional(),
    /** A call that makes so many nonce accounts for the sender and does nothing else. */
    nonceAccounts: z.int().min(1).max(NONCE_ACCOUNTS_AT_ONCE_MAX).exactOptional(),
  }),
});
export type SignSolanaOrder = z.infer<typeof SignSolanaOrder>;
