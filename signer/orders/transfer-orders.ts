import { z } from 'zod';
import { NONCE_ACCOUNTS_AT_ONCE_MAX } from '../../domain/nonce-accounts';
import { PSBT_BYTES_MAX } from '../../domain/transfers';
import { EncryptedInput, OrderIntent } from '../judging/order-intent';
import { AttestedFacts } from '../judging/people/attested-facts';
import { SigningPayload } from '../judging/signing-payload';
import { EvidenceList } from '../record/evidence';
import { Address, Bytes, hex, Id, ManyBytes, Moment, Units } from '../wire/schemas';
import { DekRow, SealedKeyRow } from './key-rows';

/**
 * `requestId` is the transfer's id. `intentId`, such as the caller's external id, identifies the intent even after the database
 * has forgotten the transfer. One intent therefore never gets a second payload. Times are ISO 8601 in UTC; fees are in the
 * network's smallest units.
 */
export const SignTransferOrder = z.strictObject({
  requestId: Id,
  intentId: z.string().min(1).max(512).optional(),
  orgId: Id,
  keyId: Id,
  network: z.string().min(1).max(64),
  chainId: z.int().positive(),
  intent: OrderIntent,
  /** Only for a token that hides its amounts. */
  encrypted: EncryptedInput.optional(),
  nonce: z.int().nonnegative(),
  /** The key of the nonce's sequence. Omitted for the account's own sequence. */
  nonceKey: Units.optional(),
  /**
   * The request that competes with this request for one nonce. If the replaced request has signatures, one of these signatures
   * must be for the nonce of this order.
   */
  replaces: Id.optional(),
  feeCeilingUnits: Units,
  bytesHex: Bytes,
  sealed: SealedKeyRow,
  dek: DekRow,
  ...Moment,
  evidence: EvidenceList.optional(),
  policyEpoch: z.int().nonnegative().optional(),
  attested: AttestedFacts.optional(),
});
export type SignTransferOrder = z.infer<typeof SignTransferOrder>;

export const FamilyOrder = SignTransferOrder.omit({ chainId: true, nonce: true, nonceKey: true, encrypted: true });

/**
 * A transfer that a sponsor sends and pays for. `bytesHex` is the sponsor's transaction, which contains one operation of the
 * sender, and `nonce` is the sponsor's nonce. With part `Operation` the sender's key signs the operation and any authorization
 * in the bytes. With part `Transaction` the sponsor's key signs the transaction, whose bytes already contain the sender's
 * signatures.
 */
export const SignSponsoredOrder = SignTransferOrder.omit({ nonceKey: true }).extend({
  sponsor: Address,
  part: z.enum(['Operation', 'Transaction']),
});
export type SignSponsoredOrder = z.infer<typeof SignSponsoredOrder>;

/**
 * `bytesHex` is a PSBT that spends only coins of the sender, and pays only the recipient and the sender. An amount of 0 to the
 * sender returns the coins to the sender. With `callDigest` the PSBT is a raw transaction, which may have inputs of other parties
 * and several recipients. `to` is then the first recipient. `callDigest` is SHA-256 over the canonical JSON object whose only
 * member `psbtHex` is the PSBT. `replaces` names a request that has signatures for at least one of the same coins. With `takesLeft`
 * this is another payment, which spends coins that the named request has left: the named request can no longer confirm.
 */
export const SignUtxoOrder = FamilyOrder.extend({
  intent: z.strictObject({ from: Address, to: Address, amountUnits: Units, callDigest: hex(32).optional() }),
  bytesHex: ManyBytes(PSBT_BYTES_MAX),
  takesLeft: z.literal(true).optional(),
});
export type SignUtxoOrder = z.infer<typeof SignUtxoOrder>;

/**
 * `bytesHex` is the message. Without `nonceAccount` the message's lifetime is a blockhash. With `nonceAccount` the message
 * begins by advancing this durable nonce, whose authority is the sender. The account of `sponsor` pays the fee and is the first
 * signer. Without `walletSignatureHex` the sender's key signs. With `walletSignatureHex` the sponsor's key signs.
 * `walletSignatureHex` must be the sender's signature over these very bytes.
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
    /** The number of nonce accounts that the call creates for the sender. The call does nothing else. */
    nonceAccounts: z.int().min(1).max(NONCE_ACCOUNTS_AT_ONCE_MAX).exactOptional(),
  }),
});
export type SignSolanaOrder = z.infer<typeof SignSolanaOrder>;

/**
 * `policyEpoch` is the policy epoch of the organisation at the last evaluation of policies. Each change that could lead to a
 * different verdict raises the epoch.
 */
const Grounds = { evidence: EvidenceList, policyEpoch: z.int().nonnegative(), attested: AttestedFacts.optional() };

/** `intentId` identifies the request even after a restored database has forgotten it. */
export const PayloadOrder = z.strictObject({
  requestId: Id,
  intentId: z.string().min(1).max(512).optional(),
  ...{ orgId: Id, keyId: Id, sealed: SealedKeyRow, dek: DekRow },
  payload: SigningPayload,
  ...Grounds,
  ...Moment,
});
