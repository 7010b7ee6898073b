import { z } from 'zod';
import { KEY_CURVES, KEY_SCHEMES } from '../domain/keys';
import { NONCE_ACCOUNTS_AT_ONCE_MAX } from '../domain/nonce-accounts';
import { SIGNER_SWITCH_NAMES } from '../domain/signer-switches';
import { INPUTS_MAX, PSBT_BYTES_MAX } from '../domain/transfers';
import { EncryptedInput, OrderIntent } from './judging/order-intent';
import { SigningPayload } from './judging/signing-payload';
import { type FreezeStanding, ReleaseFreezeOrder, SetFreezeOrder } from './orders/freeze-orders';
import { type Withdrawn, WithdrawOrder } from './orders/never-sign';
import { EvidenceList } from './record/evidence';
import { RefusalReason } from './wire/refusal-reasons';
import { Address, Bytes, base64, bytes, hex, Id, ManyBytes, Moment, PublicKey, Units, word } from './wire/schemas';

/** A local key answers 60 bytes (iv, 32 bytes, tag); a cloud service answers a form of its own, which its documents bound so. */
const WRAPPED_BYTES_MAX = 6_144;
const Wrapped = z
  .string()
  .regex(/^(?:[0-9a-f]{2}){60,}$/)
  .max(WRAPPED_BYTES_MAX * 2);

/** A data encryption key of one organisation, wrapped by the signer's KEK. Stored by the caller, useless without the signer. */
export const DekRow = z.strictObject({
  orgId: Id,
  dekId: Id,
  kekId: Id,
  wrappedHex: Wrapped,
  commitHex: hex(32),
});
export type DekRow = z.infer<typeof DekRow>;

const Form = { scheme: z.enum(KEY_SCHEMES), curve: z.enum(KEY_CURVES) };

/** A key sealed under its organisation's DEK. `ciphertextHex` is iv, 32 bytes, tag. */
export const SealedKeyRow = z.strictObject({
  orgId: Id,
  keyId: Id,
  ...Form,
  publicKeyHex: PublicKey,
  dekId: Id,
  ciphertextHex: hex(60),
});
export type SealedKeyRow = z.infer<typeof SealedKeyRow>;

/** The master key that a child is derived from. `path` is in the form of `parseDerivationPath`. */
const ParentKey = z.strictObject({ keyId: Id, path: z.string().max(128), sealed: SealedKeyRow, dek: DekRow });

/**
 * `dek` is the organisation's present DEK; without it the signer takes the one in its journal or makes the first. With `parent` the
 * key is derived (BIP32 on secp256k1, SLIP-10 on ed25519), without it random.
 */
export const CreateKeyOrder = z.strictObject({
  orgId: Id,
  keyId: Id,
  ...Form,
  dek: DekRow.optional(),
  parent: ParentKey.optional(),
});
export type CreateKeyOrder = z.infer<typeof CreateKeyOrder>;
export const CreatedKey = z.strictObject({ publicKeyHex: PublicKey, sealed: SealedKeyRow, dek: DekRow });
export type CreatedKey = z.infer<typeof CreatedKey>;

/** `kekId` is the key-encryption key that the caller means: with another one active the order has to wait. */
export const RewrapDekOrder = z.strictObject({ orgId: Id, dek: DekRow, kekId: Id });
export type RewrapDekOrder = z.infer<typeof RewrapDekOrder>;
export const RewrapJournalOrder = z.strictObject({ kekId: Id });
export type RewrapJournalOrder = z.infer<typeof RewrapJournalOrder>;
export const JournalRewrapped = z.strictObject({ left: z.int().nonnegative() });
export type JournalRewrapped = z.infer<typeof JournalRewrapped>;
export const CreateDekOrder = z.strictObject({ requestId: Id, orgId: Id });
export type CreateDekOrder = z.infer<typeof CreateDekOrder>;
/** `dek` is what the key lies under, `target` what it is to lie under. */
export const ResealKeyOrder = z.strictObject({ orgId: Id, keyId: Id, sealed: SealedKeyRow, dek: DekRow, target: DekRow });
export type ResealKeyOrder = z.infer<typeof ResealKeyOrder>;

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
  /** Of which of the sender's counts the nonce is one, where the network has several (Tempo); left out, of the account's own. */
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

export const TransferSignature = z.strictObject({
  signature: z.strictObject({ r: word, s: word, recoveryId: z.union([z.literal(0), z.literal(1)]) }),
  digestHex: word,
});
export type TransferSignature = z.infer<typeof TransferSignature>;

const KeyRows = { orgId: Id, keyId: Id, sealed: SealedKeyRow, dek: DekRow };

/** By `KEY_SHARE_SUITE`: `enc`, then the ciphertext of 32 bytes with its tag (docs/key-shares.md). */
const EncryptedShare = base64(32 + 32 + 16);

/** Takes over a secret that was encrypted to the signer's `encryptionKey`. The same key id answers what was answered before. */
export const ImportKeyOrder = z.strictObject({
  requestId: Id,
  orgId: Id,
  keyId: Id,
  ...Form,
  encryptedShare: EncryptedShare,
  dek: DekRow.optional(),
});
export type ImportKeyOrder = z.infer<typeof ImportKeyOrder>;

/** Gives the secret to whoever holds the private half of `recipientKey`, an X25519 public key; the key signs nothing afterwards. */
export const ExportKeyOrder = z.strictObject({ requestId: Id, ...KeyRows, recipientKey: base64(32), ...Moment });
export type ExportKeyOrder = z.infer<typeof ExportKeyOrder>;
export const ExportedKey = z.strictObject({ encryptedShare: EncryptedShare });
export type ExportedKey = z.infer<typeof ExportedKey>;

/** RFC 9380, `secp256k1_XMD:SHA-256_SSWU_RO_`: the key's secret times the point of `seedHex` under the tag `domainHex`. */
export const DeriveSharedOrder = z.strictObject({
  requestId: Id,
  ...KeyRows,
  domainHex: bytes(1, 255),
  seedHex: bytes(0, 4_096),
  ...Moment,
});
export type DeriveSharedOrder = z.infer<typeof DeriveSharedOrder>;
/** A compressed point. */
export const SharedOutput = z.strictObject({ outputHex: bytes(33, 33) });
export type SharedOutput = z.infer<typeof SharedOutput>;

/** `policyEpoch` is the organisation's when its policies were last asked. */
const Grounds = { evidence: EvidenceList, policyEpoch: z.int().nonnegative() };

/** `requestId` is the signature request's id; `intentId` is what survives a database that has forgotten it, as for a transfer. */
export const SignPayloadOrder = z.strictObject({
  requestId: Id,
  intentId: z.string().min(1).max(512).optional(),
  ...KeyRows,
  payload: SigningPayload,
  ...Grounds,
  ...Moment,
});
export type SignPayloadOrder = z.infer<typeof SignPayloadOrder>;

/** Two words of 32 bytes: for EdDSA and Schnorr the halves of the 64 bytes. Only ECDSA on secp256k1 has a recovery id. */
export const KeySignature = z.strictObject({
  r: word,
  s: word,
  recoveryId: z.union([z.literal(0), z.literal(1)]).optional(),
});
export type KeySignature = z.infer<typeof KeySignature>;
/** `digestHex` is what was signed: SHA-256 of it where EdDSA signed a message, which has any length. */
export const PayloadSignature = z.strictObject({ digestHex: word, signatures: z.array(KeySignature).min(1).max(INPUTS_MAX) });
export type PayloadSignature = z.infer<typeof PayloadSignature>;

/** What signs: C in locked memory, or JavaScript, which leaves copies of keys until its memory is used again. */
export const ARITHMETICS = ['native', 'portable'] as const;
export type Arithmetic = (typeof ARITHMETICS)[number];

/** `encryptionKey` is the X25519 public key that shares are encrypted to; a signer that was given a new one still opens what the last one closes. */
export const Health = z.strictObject({
  kekId: Id,
  journalEntries: z.int(),
  logEntries: z.int(),
  signerId: Id,
  encryptionKey: base64(32),
  arithmetic: z.enum(ARITHMETICS),
});
export type Health = z.infer<typeof Health>;

/** What this signer does of that which its configuration has to switch on. */
export const Switches = z.strictObject({ on: z.array(z.enum(SIGNER_SWITCH_NAMES)) });
export type Switches = z.infer<typeof Switches>;

/** The medium under the signer's state folder, and over TLS its certificate: without either it ends. */
export const Resources = z.strictObject({
  stateFreeBytes: z.number().nonnegative(),
  stateBytes: z.number().nonnegative(),
  certificate: z.strictObject({ fromMs: z.number(), untilMs: z.number() }).nullable(),
});
export type Resources = z.infer<typeof Resources>;

/** The orders by name; `unknown` stands for one that could not be read. */
export const OrderOp = z.enum([
  'createKey',
  'importKey',
  'exportKey',
  'deriveShared',
  'signTransfer',
  'signSponsored',
  'signUtxo',
  'signSolana',
  'withdraw',
  'signPayload',
  'rewrapDek',
  'rewrapJournal',
  'createDek',
  'resealKey',
  'setFreeze',
  'releaseFreeze',
  'unknown',
]);
export type OrderOp = z.infer<typeof OrderOp>;
const OrderOutcome = z.enum(['Done', 'Failed', ...RefusalReason.options]);
export type OrderOutcome = z.infer<typeof OrderOutcome>;
const OrderCount = z.strictObject({ op: OrderOp, outcome: OrderOutcome, count: z.int(), seconds: z.number() });
export type OrderCount = z.infer<typeof OrderCount>;

/** What the signer says of itself since its start: it has no network on which it could be asked otherwise. */
export const Stats = z.strictObject({
  journalEntries: z.int(),
  logEntries: z.int(),
  arithmetic: z.enum(ARITHMETICS),
  orders: z.array(OrderCount),
  /** Orders that wait for their organisation's turn, orders that have begun, and the seconds that all orders so far have waited. */
  waiting: z.int(),
  running: z.int(),
  waitedSeconds: z.number(),
});
export type Stats = z.infer<typeof Stats>;

/** Whose request an order serves, for the log alone: it is neither signed nor judged, so an odd one refuses no order. */
const ForRequest = z
  .string()
  .regex(/^[0-9A-Za-z-]{1,64}$/)
  .optional()
  .catch(undefined);

const asking = <Op extends OrderOp, Order extends z.ZodType>(op: Op, order: Order) =>
  z.strictObject({ id: z.int().nonnegative(), op: z.literal(op), requestId: ForRequest, order });

export const Request = z.discriminatedUnion('op', [
  z.strictObject({ id: z.int().nonnegative(), op: z.literal('health') }),
  z.strictObject({ id: z.int().nonnegative(), op: z.literal('stats') }),
  z.strictObject({ id: z.int().nonnegative(), op: z.literal('switches') }),
  z.strictObject({ id: z.int().nonnegative(), op: z.literal('resources') }),
  asking('createKey', CreateKeyOrder),
  asking('importKey', ImportKeyOrder),
  asking('exportKey', ExportKeyOrder),
  asking('deriveShared', DeriveSharedOrder),
  asking('signTransfer', SignTransferOrder),
  asking('signSponsored', SignSponsoredOrder),
  asking('signUtxo', SignUtxoOrder),
  asking('signSolana', SignSolanaOrder),
  asking('withdraw', WithdrawOrder),
  asking('signPayload', SignPayloadOrder),
  asking('rewrapDek', RewrapDekOrder),
  asking('rewrapJournal', RewrapJournalOrder),
  asking('createDek', CreateDekOrder),
  asking('resealKey', ResealKeyOrder),
  asking('setFreeze', SetFreezeOrder),
  asking('releaseFreeze', ReleaseFreezeOrder),
]);
export type Request = z.infer<typeof Request>;

/** The outer shape is checked first, so that a malformed order is refused under its own id and not by a closed connection. */
export const OrderEnvelope = z.looseObject({ id: z.int().nonnegative(), op: z.string(), requestId: z.unknown().optional() });
export type OrderEnvelope = z.infer<typeof OrderEnvelope>;

export const Reply = z.union([
  /** `ms` is how long the order took. Only who names a request is told, because an older client does not know the word. */
  z.strictObject({ id: z.int().nonnegative(), ok: z.literal(true), result: z.unknown(), ms: z.number().optional() }),
  z.strictObject({
    id: z.int().nonnegative(),
    ok: z.literal(false),
    code: z.literal('Refused'),
    reason: RefusalReason,
    /** Then the claim of the transfer must not be released. */
    signedBefore: z.boolean(),
  }),
  z.strictObject({ id: z.int().nonnegative(), ok: z.literal(false), code: z.literal('Unavailable'), reason: z.string().max(64) }),
]);
export type Reply = z.infer<typeof Reply>;

/**
 * What the worker holds. Throws `SignerRefused` (this order will never be signed; `details` carries `reason` and `nothingSigned`)
 * or `SignerUnavailable` (ask again with a fresh order).
 */
export interface SignerClient {
  health(): Promise<Health>;
  stats(): Promise<Stats>;
  /** Not part of `health`, whose strict answer an older worker reads too. */
  switches(): Promise<Switches>;
  /** Not part of `stats`, for the same reason. */
  resources(): Promise<Resources>;
  createKey(order: CreateKeyOrder): Promise<CreatedKey>;
  importKey(order: ImportKeyOrder): Promise<CreatedKey>;
  exportKey(order: ExportKeyOrder): Promise<ExportedKey>;
  deriveShared(order: DeriveSharedOrder): Promise<SharedOutput>;
  signTransfer(order: SignTransferOrder): Promise<TransferSignature>;
  signSponsored(order: SignSponsoredOrder): Promise<PayloadSignature>;
  /** One signature for each input, in their order. */
  signUtxo(order: SignUtxoOrder): Promise<PayloadSignature>;
  signSolana(order: SignSolanaOrder): Promise<PayloadSignature>;
  withdraw(order: WithdrawOrder): Promise<Withdrawn>;
  rewrapDek(order: RewrapDekOrder): Promise<DekRow>;
  rewrapJournal(order: RewrapJournalOrder): Promise<JournalRewrapped>;
  createDek(order: CreateDekOrder): Promise<DekRow>;
  resealKey(order: ResealKeyOrder): Promise<SealedKeyRow>;
  signPayload(order: SignPayloadOrder): Promise<PayloadSignature>;
  setFreeze(order: SetFreezeOrder): Promise<FreezeStanding>;
  releaseFreeze(order: ReleaseFreezeOrder): Promise<FreezeStanding>;
  close(): Promise<void>;
}
