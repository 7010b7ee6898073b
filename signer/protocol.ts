import { z } from 'zod';
import { KEY_CURVES, KEY_SCHEMES } from '../domain/keys';

/** Keys and rows are bare hex, what a chain sees carries 0x. */
const hex = (bytes: number) => z.string().regex(new RegExp(`^[0-9a-f]{${bytes * 2}}$`));
const word = z.string().regex(/^0x[0-9a-f]{64}$/);
const Bytes = z
  .string()
  .regex(/^0x(?:[0-9a-f]{2})+$/)
  .max(8_192);
const Id = z.string().regex(/^[A-Za-z0-9_-]{1,64}$/);
const Units = z.string().regex(/^(?:0|[1-9][0-9]{0,77})$/);
const Address = z.string().min(1).max(128);

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
/** In the form that `KEY_FORMS` names for scheme and curve. */
const PublicKey = z.union([hex(32), hex(33)]);

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

/** `dek` is the organisation's present DEK; without it the signer takes the one in its journal or makes the first. */
export const CreateKeyOrder = z.strictObject({ orgId: Id, keyId: Id, ...Form, dek: DekRow.optional() });
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

export const OrderIntent = z.strictObject({
  from: Address,
  to: Address,
  amountUnits: Units,
  asset: z.discriminatedUnion('kind', [
    z.strictObject({ kind: z.literal('Native') }),
    z.strictObject({ kind: z.literal('Erc20'), contract: Address }),
  ]),
});

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
  nonce: z.int().nonnegative(),
  feeCeilingUnits: Units,
  bytesHex: Bytes,
  sealed: SealedKeyRow,
  dek: DekRow,
  issuedAt: z.iso.datetime(),
  notAfter: z.iso.datetime(),
});
export type SignTransferOrder = z.infer<typeof SignTransferOrder>;

export const TransferSignature = z.strictObject({
  signature: z.strictObject({ r: word, s: word, recoveryId: z.union([z.literal(0), z.literal(1)]) }),
  digestHex: word,
});
export type TransferSignature = z.infer<typeof TransferSignature>;

export const Health = z.strictObject({ kekId: Id, journalEntries: z.int(), logEntries: z.int() });
export type Health = z.infer<typeof Health>;

/** Why an order was not carried out. Names only: nothing in a refusal repeats bytes, keys or amounts. */
export const RefusalReason = z.enum([
  'MalformedOrder',
  'UnknownNetwork',
  'MainnetNotAllowed',
  'ClockDrift',
  'OrderExpired',
  'ChainIdMismatch',
  'NonceMismatch',
  'RecipientMismatch',
  'AmountMismatch',
  'AssetMismatch',
  'FeeAboveApproved',
  'FeeAboveSignerCeiling',
  'BytesNotUnderstood',
  'SenderMismatch',
  'KeyRowMismatch',
  'EnvelopeRejected',
  'KekNotActive',
  'KeyIdReused',
  'RequestIdReused',
  'IntentSignedAlready',
  'NonceSignedAlready',
  'Frozen',
  'Busy',
]);
export type RefusalReason = z.infer<typeof RefusalReason>;

/** Refusals that say that some signature of this request, intent or nonce exists already: its claim must never be released. */
export const SIGNED_ALREADY: ReadonlySet<RefusalReason> = new Set([
  'RequestIdReused',
  'IntentSignedAlready',
  'NonceSignedAlready',
]);
/**
 * Refusals that judge the moment and not the order: a fresh order for the same payload may well be signed. `Frozen` ends with a reconciliation; `Busy`
 * says that too much of the organisation waits.
 */
export const ASK_AGAIN: ReadonlySet<RefusalReason> = new Set(['ClockDrift', 'OrderExpired', 'Frozen', 'KekNotActive', 'Busy']);

/** The orders by name; `unknown` stands for one that could not be read. */
export const OrderOp = z.enum(['createKey', 'signTransfer', 'rewrapDek', 'rewrapJournal', 'createDek', 'resealKey', 'unknown']);
export type OrderOp = z.infer<typeof OrderOp>;
const OrderOutcome = z.enum(['Done', 'Failed', ...RefusalReason.options]);
export type OrderOutcome = z.infer<typeof OrderOutcome>;
const OrderCount = z.strictObject({ op: OrderOp, outcome: OrderOutcome, count: z.int(), seconds: z.number() });
export type OrderCount = z.infer<typeof OrderCount>;

/** What the signer says of itself since its start: it has no network on which it could be asked otherwise. */
export const Stats = z.strictObject({
  journalEntries: z.int(),
  logEntries: z.int(),
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

export const Request = z.discriminatedUnion('op', [
  z.strictObject({ id: z.int().nonnegative(), op: z.literal('health') }),
  z.strictObject({ id: z.int().nonnegative(), op: z.literal('stats') }),
  z.strictObject({ id: z.int().nonnegative(), op: z.literal('createKey'), requestId: ForRequest, order: CreateKeyOrder }),
  z.strictObject({ id: z.int().nonnegative(), op: z.literal('signTransfer'), requestId: ForRequest, order: SignTransferOrder }),
  z.strictObject({ id: z.int().nonnegative(), op: z.literal('rewrapDek'), requestId: ForRequest, order: RewrapDekOrder }),
  z.strictObject({ id: z.int().nonnegative(), op: z.literal('rewrapJournal'), requestId: ForRequest, order: RewrapJournalOrder }),
  z.strictObject({ id: z.int().nonnegative(), op: z.literal('createDek'), requestId: ForRequest, order: CreateDekOrder }),
  z.strictObject({ id: z.int().nonnegative(), op: z.literal('resealKey'), requestId: ForRequest, order: ResealKeyOrder }),
]);
export type Request = z.infer<typeof Request>;

/** The outer shape is checked first, so that a malformed order is refused under its own id and not by a closed connection. */
export const Envelope = z.looseObject({ id: z.int().nonnegative(), op: z.string(), requestId: z.unknown().optional() });
export type Envelope = z.infer<typeof Envelope>;

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
  createKey(order: CreateKeyOrder): Promise<CreatedKey>;
  signTransfer(order: SignTransferOrder): Promise<TransferSignature>;
  rewrapDek(order: RewrapDekOrder): Promise<DekRow>;
  rewrapJournal(order: RewrapJournalOrder): Promise<JournalRewrapped>;
  createDek(order: CreateDekOrder): Promise<DekRow>;
  resealKey(order: ResealKeyOrder): Promise<SealedKeyRow>;
  close(): Promise<void>;
}
