import { z } from 'zod';
import { NONCE_ACCOUNTS_AT_ONCE_MAX } from '../../domain/nonce-accounts';
import { PSBT_BYTES_MAX } from '../../domain/transfers';
import { EncryptedInput, OrderIntent } from '../judging/order-intent';
import { EvidenceList } from '../record/evidence';
import { Address, Bytes, hex, Id, ManyBytes, Moment, Units } from '../wire/schemas';
import { DekRow, SealedKeyRow } from './key-rows';

/**
 * The approved intent together with the bytes that must execute exactly that intent. `requestId` is the transfer's id. `intentId` survives a database
 * that has forgotten the transfer, such as the caller's external id: one intent never gets a second payload. Times are ISO 8601 in UTC; fees are in
 * the network's smallest units.
 */
export const SignTransferOrder = z.strictObject({
  requestId: Id,
  intentId: z.string().min(1).max(512).optional(),
  orgId: Id,
  keyId: Id,
  network: z.string().min(1).max(64),
  chainId: z.int().positive(),
  intent: OrderIntent,
  /** Only for the intent of a token that hides amounts. */
  encrypted: EncryptedInput.optional(),
  nonce: z.int().nonnegative(),
  /** The lane that the nonce counts in, if the sender has several counts; omitted for the account's own. */
  nonceKey: Units.optional(),
  /** The request that this one competes with for its nonce. If it has any signature, one of them must be for the same nonce. */
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

/** The members that the order of every family has. */
export const FamilyOrder = SignTransferOrder.omit({ chainId: true, nonce: true, nonceKey: true, encrypted: true });

/**
 * The same for a transfer that another account sends and pays for: `bytesHex` is the sponsor's transaction with one operation of the
 * sender in it, and `nonce` is the sponsor's. `Operation` requests signatures with the sender's key: the operation's, then that of the
 * authorization in the bytes, if there is one. `Transaction` requests the sponsor's signature with its own key, once those two are in
 * the bytes.
 */
export const SignSponsoredOrder = SignTransferOrder.omit({ nonceKey: true }).extend({
  sponsor: Address,
  part: z.enum(['Operation', 'Transaction']),
});
export type SignSponsoredOrder = z.infer<typeof SignSponsoredOrder>;

/**
 * The same for the Bitcoin family: `bytesHex` is a PSBT that spends only coins of the sender, and pays only the recipient and the sender. An amount
 * of 0 to the sender itself returns the coins to the sender. With `callDigest`, SHA-256 over the canonical JSON of a PSBT made elsewhere, it is a raw
 * transaction: it may have several recipients, `to` being the first, and inputs of other parties. `replaces` is a request that was given signatures
 * for at least one of the same coins.
 */
export const SignUtxoOrder = FamilyOrder.extend({
  intent: z.strictObject({ from: Address, to: Address, amountUnits: Units, callDigest: hex(32).optional() }),
  bytesHex: ManyBytes(PSBT_BYTES_MAX),
});
export type SignUtxoOrder = z.infer<typeof SignUtxoOrder>;

/**
 * The same for Solana. `bytesHex` is the message. Without `nonceAccount` its lifetime is a blockhash; with it the message begins by
 * advancing that durable nonce, with the sender as the authority. With `sponsor` that account pays the fee and signs first: the
 * sender's key signs without `walletSignatureHex`; the sponsor's own key signs with it, provided it is the sender's over these very
 * bytes.
 */
export const SignSolanaOrder = FamilyOrder.extend({
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
    /** A call that creates this many nonce accounts for the sender and does nothing else. */
    nonceAccounts: z.int().min(1).max(NONCE_ACCOUNTS_AT_ONCE_MAX).exactOptional(),
  }),
});
export type SignSolanaOrder = z.infer<typeof SignSolanaOrder>;
