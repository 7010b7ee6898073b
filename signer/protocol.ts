import { z } from 'zod';
import { ANCHOR_CHARS_MAX } from '../domain/anchors';
import { SIGNER_SWITCH_NAMES } from '../domain/signer-switches';
import { INPUTS_MAX } from '../domain/transfers';
import type { SignedAttestation } from '../platform/address-attestation';
import type { SignedCheckpoint } from '../platform/chain-checkpoint';
import { AmendCharterOrder, type CharterHead } from './charters/amend-charter-order';
import { Holder } from './charters/charter';
import { type CharterList, type CharterPart, ListChartersQuestion, ReadCharterOrder } from './charters/read-charter-order';
import { type KeyStoreList, ListKeyStoresQuestion } from './key-stores/reported-key-stores';
import { AttestAddressOrder } from './orders/attestations/attest-address';
import { AttestHeadOrder } from './orders/attestations/attest-head';
import { FAMILY_OPS, FAMILY_REQUESTS, type FamilyOp, type FamilyOrders } from './orders/families';
import { FLEET_OPS, FLEET_REQUESTS, type FleetOperations } from './orders/fleets/fleet-requests';
import { type FreezeStanding, ReleaseFreezeOrder, SetFreezeOrder } from './orders/freeze-orders';
import { DekRow, KeyForms, SealedKeyRow } from './orders/key-rows';
import { type Withdrawn, WithdrawOrder } from './orders/never-sign';
import { orderMessage } from './orders/order-message';
import { PayloadOrder } from './orders/transfer-orders';
import { WasSignedOrder, type WereSigned } from './orders/was-signed';
import { EvidenceList } from './record/evidence';
import { RefusalReason } from './wire/refusal-reasons';
import { base64, bytes, Id, Moment, PublicKey, word } from './wire/schemas';

export type { FamilyOp, FamilyOrders } from './orders/families';
export type { FleetOp, FleetOrders } from './orders/fleets/fleet-requests';
export type { DekRow, SealedKeyRow } from './orders/key-rows';
export type { SignSolanaOrder, SignSponsoredOrder, SignTransferOrder, SignUtxoOrder } from './orders/transfer-orders';

/** `parseDerivationPath` defines the form of `path`. */
const ParentKey = z.strictObject({ keyId: Id, path: z.string().max(128), sealed: SealedKeyRow, dek: DekRow });

/**
 * `dek` is the organisation's current DEK. Without `dek` the signer uses the DEK in its journal, or creates the first DEK. With
 * `parent` the key is derived (BIP32 on secp256k1, SLIP-10 on ed25519); without `parent` the key is random. Under a charter,
 * `holder` is the only end user who may use the key, with the signed action that asked for the key.
 */
export const CreateKeyOrder = z.strictObject({
  orgId: Id,
  keyId: Id,
  ...KeyForms,
  dek: DekRow.optional(),
  parent: ParentKey.optional(),
  holder: Holder.extend({ evidence: EvidenceList.min(1) }).exactOptional(),
});
export type CreateKeyOrder = z.infer<typeof CreateKeyOrder>;
export const CreatedKey = z.strictObject({ publicKeyHex: PublicKey, sealed: SealedKeyRow, dek: DekRow });
export type CreatedKey = z.infer<typeof CreatedKey>;

/** `kekId` is the key-encryption key that must be active. While another key is active, the order has to be retried. */
export const RewrapDekOrder = z.strictObject({ orgId: Id, dek: DekRow, kekId: Id });
export type RewrapDekOrder = z.infer<typeof RewrapDekOrder>;
export const RewrapJournalOrder = z.strictObject({ kekId: Id });
export type RewrapJournalOrder = z.infer<typeof RewrapJournalOrder>;
export const JournalRewrapped = z.strictObject({ left: z.int().nonnegative() });
export type JournalRewrapped = z.infer<typeof JournalRewrapped>;
export const CreateDekOrder = z.strictObject({ requestId: Id, orgId: Id });
export type CreateDekOrder = z.infer<typeof CreateDekOrder>;
/** `dek` seals the key before the order, and `target` seals the key after the order. */
export const ResealKeyOrder = z.strictObject({ orgId: Id, keyId: Id, sealed: SealedKeyRow, dek: DekRow, target: DekRow });
export type ResealKeyOrder = z.infer<typeof ResealKeyOrder>;

export const TransferSignature = z.strictObject({
  signature: z.strictObject({ r: word, s: word, recoveryId: z.union([z.literal(0), z.literal(1)]) }),
  digestHex: word,
});
export type TransferSignature = z.infer<typeof TransferSignature>;

const KeyRows = { orgId: Id, keyId: Id, sealed: SealedKeyRow, dek: DekRow };

/** A share encrypted by `KEY_SHARE_SUITE`: `enc`, then the 32 bytes of ciphertext and the tag (docs/key-shares.md). */
const EncryptedShare = base64(32 + 32 + 16);

/**
 * Imports a secret that was encrypted to the signer's `encryptionKey`. A repeated order with the same key id gets the same
 * reply.
 */
export const ImportKeyOrder = z.strictObject({
  requestId: Id,
  orgId: Id,
  keyId: Id,
  ...KeyForms,
  encryptedShare: EncryptedShare,
  dek: DekRow.optional(),
});
export type ImportKeyOrder = z.infer<typeof ImportKeyOrder>;

/**
 * Encrypts the secret of a key to `recipientKey`, an X25519 public key. After the export, the signer no longer signs with the
 * key. `changeRequestId` names the change request that people approved; absent if the export needed no approval.
 */
export const ExportKeyOrder = z.strictObject({
  requestId: Id,
  ...KeyRows,
  recipientKey: base64(32),
  changeRequestId: Id.optional(),
  evidence: EvidenceList.optional(),
  ...Moment,
});
export type ExportKeyOrder = z.infer<typeof ExportKeyOrder>;
export const ExportedKey = z.strictObject({ encryptedShare: EncryptedShare });
export type ExportedKey = z.infer<typeof ExportedKey>;

/**
 * Requests the key's secret times the point of `seedHex`. The suite is `secp256k1_XMD:SHA-256_SSWU_RO_` (RFC 9380), with
 * `domainHex` as the domain separation tag.
 */
export const DeriveSharedOrder = z.strictObject({
  requestId: Id,
  ...KeyRows,
  domainHex: bytes(1, 255),
  seedHex: bytes(0, 4_096),
  evidence: EvidenceList.optional(),
  ...Moment,
});
export type DeriveSharedOrder = z.infer<typeof DeriveSharedOrder>;
/** A compressed point. */
export const SharedOutput = z.strictObject({ outputHex: bytes(33, 33) });
export type SharedOutput = z.infer<typeof SharedOutput>;

export const SignPayloadOrder = PayloadOrder;
export type SignPayloadOrder = z.infer<typeof SignPayloadOrder>;

/**
 * Two words of 32 bytes: for EdDSA and Schnorr the two halves of the signature. Signatures of EdDSA and Schnorr have no
 * recovery id.
 */
export const KeySignature = z.strictObject({
  r: word,
  s: word,
  recoveryId: z.union([z.literal(0), z.literal(1)]).optional(),
});
export type KeySignature = z.infer<typeof KeySignature>;
/**
 * `digestHex` is the signed digest. For a PSBT, and for a message that EdDSA signs whole, `digestHex` is SHA-256 of its bytes.
 */
export const PayloadSignature = z.strictObject({ digestHex: word, signatures: z.array(KeySignature).min(1).max(INPUTS_MAX) });
export type PayloadSignature = z.infer<typeof PayloadSignature>;

/** C in locked memory, or JavaScript, which leaves copies of keys in memory until the memory is reused. */
export const ARITHMETICS = ['native', 'portable'] as const;
export type Arithmetic = (typeof ARITHMETICS)[number];

/** `encryptionKey` is the X25519 public key for shares. After a change, the signer still opens shares for the previous key. */
export const Health = z.strictObject({
  kekId: Id,
  journalEntries: z.int(),
  logEntries: z.int(),
  signerId: Id,
  encryptionKey: base64(32),
  arithmetic: z.enum(ARITHMETICS),
});
export type Health = z.infer<typeof Health>;

/** Proves to this signer that an action with this anchor was announced after the anchor was made (`signer/record/anchors.ts`). */
export const Anchor = z.strictObject({
  anchor: z
    .string()
    .regex(/^[!-~]+$/)
    .max(ANCHOR_CHARS_MAX),
});
export type Anchor = z.infer<typeof Anchor>;

export const Switches = z.strictObject({ on: z.array(z.enum(SIGNER_SWITCH_NAMES)) });
export type Switches = z.infer<typeof Switches>;

/**
 * The free space of the state folder and, over TLS, the validity of the signer's certificate. Orders fail without space or with
 * an expired certificate.
 */
export const Resources = z.strictObject({
  stateFreeBytes: z.number().nonnegative(),
  stateBytes: z.number().nonnegative(),
  certificate: z.strictObject({ fromMs: z.number(), untilMs: z.number() }).nullable(),
});
export type Resources = z.infer<typeof Resources>;

/** `Away`: every order is refused, because the replica does not acknowledge. */
export const ReplicaState = z.strictObject({ replica: z.enum(['None', 'Here', 'Away']) });
export type ReplicaState = z.infer<typeof ReplicaState>;

/** The orders for signatures of the families of chains. */
export const SIGN_OPS: readonly FamilyOp[] = FAMILY_OPS;

/** The name `unknown` stands for orders that could not be read. */
export const OrderOp = z.enum([
  'createKey',
  'attestAddress',
  'attestFeed',
  'attestAuditLog',
  'importKey',
  'exportKey',
  'deriveShared',
  ...FAMILY_OPS,
  ...FLEET_OPS,
  'withdraw',
  'wasSigned',
  'signPayload',
  'rewrapDek',
  'rewrapJournal',
  'createDek',
  'resealKey',
  'setFreeze',
  'releaseFreeze',
  'amendCharter',
  'readCharter',
  'unknown',
]);
export type OrderOp = z.infer<typeof OrderOp>;
const OrderOutcome = z.enum(['Done', 'Failed', ...RefusalReason.options]);
export type OrderOutcome = z.infer<typeof OrderOutcome>;
const OrderCount = z.strictObject({ op: OrderOp, outcome: OrderOutcome, count: z.int(), seconds: z.number() });
export type OrderCount = z.infer<typeof OrderCount>;

/**
 * The orders are counted since the signer's start. The worker reads these figures over the socket, because the signer does not
 * serve metrics on a network.
 */
export const Stats = z.strictObject({
  journalEntries: z.int(),
  logEntries: z.int(),
  arithmetic: z.enum(ARITHMETICS),
  orders: z.array(OrderCount),
  /**
   * `waiting` counts orders that wait for the turn of their organisation. `running` counts orders that have begun.
   * `waitedSeconds` is the total waiting time of all orders so far.
   */
  waiting: z.int(),
  running: z.int(),
  waitedSeconds: z.number(),
});
export type Stats = z.infer<typeof Stats>;

export const Request = z.discriminatedUnion('op', [
  z.strictObject({ id: z.int().nonnegative(), op: z.literal('health') }),
  z.strictObject({ id: z.int().nonnegative(), op: z.literal('stats') }),
  z.strictObject({ id: z.int().nonnegative(), op: z.literal('switches') }),
  z.strictObject({ id: z.int().nonnegative(), op: z.literal('resources') }),
  z.strictObject({ id: z.int().nonnegative(), op: z.literal('replica') }),
  z.strictObject({ id: z.int().nonnegative(), op: z.literal('anchor') }),
  ListChartersQuestion.extend({ id: z.int().nonnegative(), op: z.literal('listCharters') }),
  ListKeyStoresQuestion.extend({ id: z.int().nonnegative(), op: z.literal('listKeyStores') }),
  orderMessage('createKey', CreateKeyOrder),
  orderMessage('attestAddress', AttestAddressOrder),
  orderMessage('attestFeed', AttestHeadOrder),
  orderMessage('attestAuditLog', AttestHeadOrder),
  orderMessage('importKey', ImportKeyOrder),
  orderMessage('exportKey', ExportKeyOrder),
  orderMessage('deriveShared', DeriveSharedOrder),
  ...FAMILY_REQUESTS,
  ...FLEET_REQUESTS,
  orderMessage('withdraw', WithdrawOrder),
  orderMessage('wasSigned', WasSignedOrder),
  orderMessage('signPayload', SignPayloadOrder),
  orderMessage('rewrapDek', RewrapDekOrder),
  orderMessage('rewrapJournal', RewrapJournalOrder),
  orderMessage('createDek', CreateDekOrder),
  orderMessage('resealKey', ResealKeyOrder),
  orderMessage('setFreeze', SetFreezeOrder),
  orderMessage('releaseFreeze', ReleaseFreezeOrder),
  orderMessage('amendCharter', AmendCharterOrder),
  orderMessage('readCharter', ReadCharterOrder),
]);
export type Request = z.infer<typeof Request>;

/**
 * The signer checks this outer shape first. If only the rest of a message is malformed, the signer can refuse the order under
 * its id and keep the connection open.
 */
export const OrderEnvelope = z.looseObject({ id: z.int().nonnegative(), op: z.string(), requestId: z.unknown().optional() });
export type OrderEnvelope = z.infer<typeof OrderEnvelope>;

export const Reply = z.union([
  /**
   * `ms` is the duration of the order. The signer sends `ms` only for a message that names a request, because older clients do
   * not name a request and do not know `ms`.
   */
  z.strictObject({ id: z.int().nonnegative(), ok: z.literal(true), result: z.unknown(), ms: z.number().optional() }),
  z.strictObject({
    id: z.int().nonnegative(),
    ok: z.literal(false),
    code: z.literal('Refused'),
    reason: RefusalReason,
    /** True if a signature exists: the claim of the transfer must then not be released. */
    signedBefore: z.boolean(),
  }),
  z.strictObject({ id: z.int().nonnegative(), ok: z.literal(false), code: z.literal('Unavailable'), reason: z.string().max(64) }),
]);
export type Reply = z.infer<typeof Reply>;

/**
 * Returns one signature per item to sign, in the order of the items. Only `signTransfer`, the oldest order, has a separate
 * result type.
 */
type FamilySigners = {
  readonly [Op in FamilyOp]: (
    order: FamilyOrders[Op],
  ) => Promise<Op extends 'signTransfer' ? TransferSignature : PayloadSignature>;
};

/**
 * Throws `SignerRefused` for an order that will never be signed; `details` then has `reason` and `nothingSigned`. Throws
 * `SignerUnavailable` if the worker must retry with a fresh order.
 */
export interface SignerClient extends FamilySigners, FleetOperations {
  health(): Promise<Health>;
  stats(): Promise<Stats>;
  /** Not part of `health`, because an older worker parses the reply of `health` strictly. */
  switches(): Promise<Switches>;
  /** Not part of `stats`, because an older worker parses the reply of `stats` strictly. */
  resources(): Promise<Resources>;
  /** Not part of `resources`, because an older worker parses the reply of `resources` strictly. */
  replica(): Promise<ReplicaState>;
  /** Refused as `MalformedOrder` by an older signer. */
  anchor(): Promise<Anchor>;
  listCharters(question: ListChartersQuestion): Promise<CharterList>;
  /** Refused as `MalformedOrder` by an older signer. */
  listKeyStores(question: ListKeyStoresQuestion): Promise<KeyStoreList>;
  createKey(order: CreateKeyOrder): Promise<CreatedKey>;
  /** Refused as `MalformedOrder` by an older signer. */
  attestAddress(order: AttestAddressOrder): Promise<SignedAttestation>;
  /** Refused as `MalformedOrder` by an older signer. */
  attestFeed(order: AttestHeadOrder): Promise<SignedCheckpoint>;
  /** Refused as `MalformedOrder` by an older signer. */
  attestAuditLog(order: AttestHeadOrder): Promise<SignedCheckpoint>;
  importKey(order: ImportKeyOrder): Promise<CreatedKey>;
  exportKey(order: ExportKeyOrder): Promise<ExportedKey>;
  deriveShared(order: DeriveSharedOrder): Promise<SharedOutput>;
  withdraw(order: WithdrawOrder): Promise<Withdrawn>;
  /** Refused as `MalformedOrder` by an older signer. */
  wasSigned(order: WasSignedOrder): Promise<WereSigned>;
  rewrapDek(order: RewrapDekOrder): Promise<DekRow>;
  rewrapJournal(order: RewrapJournalOrder): Promise<JournalRewrapped>;
  createDek(order: CreateDekOrder): Promise<DekRow>;
  resealKey(order: ResealKeyOrder): Promise<SealedKeyRow>;
  signPayload(order: SignPayloadOrder): Promise<PayloadSignature>;
  setFreeze(order: SetFreezeOrder): Promise<FreezeStanding>;
  releaseFreeze(order: ReleaseFreezeOrder): Promise<FreezeStanding>;
  amendCharter(order: AmendCharterOrder): Promise<CharterHead>;
  readCharter(order: ReadCharterOrder): Promise<CharterPart>;
  close(): Promise<void>;
}
