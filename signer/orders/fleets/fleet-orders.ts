import { z } from 'zod';
import { FLEET_INPUT_BYTES_MAX, FLEET_OUTPUT_BYTES_MAX } from '../../../domain/fleets';
import { STORE_REVIEWERS_MAX } from '../../../domain/key-stores';
import { INPUTS_MAX } from '../../../domain/transfers';
import { BySigner, Digest } from '../../../platform/fleets/statement';
import { EvidenceList } from '../../record/evidence';
import { Id, inBytes, Moment, PublicKey, word } from '../../wire/schemas';
import { KeyForms } from '../key-rows';

const OfGroup = { requestId: Id, orgId: Id };
const InputText = z.string().refine(inBytes(FLEET_INPUT_BYTES_MAX));
const FileText = z.string().refine(inBytes(FLEET_OUTPUT_BYTES_MAX));
/** The input and the JSON part of a ceremony name at most a hundred members. Only the file has keys and shares. */
export const CEREMONY_BYTES_MAX = 256 * 1024;
const CeremonyText = z.string().refine(inBytes(CEREMONY_BYTES_MAX));

/**
 * Requests the signature of an input for a device. `requestId` is the id of the group. `input` is the canonical text of a
 * `FleetInput`. For a ceremony under a charter, the evidence contains the signed action of the person who asked for the group.
 */
export const SealFleetInputOrder = z.strictObject({
  ...OfGroup,
  input: InputText,
  evidence: EvidenceList.optional(),
  ...Moment,
});
export type SealFleetInputOrder = z.infer<typeof SealFleetInputOrder>;
/** `signed.by` is the public key by which the signer attests. */
export const SealedFleetInput = z.strictObject({ signed: BySigner });
export type SealedFleetInput = z.infer<typeof SealedFleetInput>;

/**
 * Records an approved ceremony. `input` is the text of the `SignedInput`, `outputJson` the JSON text that the caller sent, and
 * `file` the text of the `SignedOutputFile`. The users are those who created, submitted and reviewed the group. Under a charter,
 * the evidence contains the signed action of each reviewer.
 */
export const RecordFleetOrder = z.strictObject({
  ...OfGroup,
  input: CeremonyText,
  outputJson: CeremonyText,
  file: FileText,
  createdBy: Id,
  submittedBy: Id,
  reviewedBy: Id,
  earlierReviewers: z
    .array(Id)
    .max(STORE_REVIEWERS_MAX - 1)
    .exactOptional(),
  evidence: EvidenceList.optional(),
  ...Moment,
});
export type RecordFleetOrder = z.infer<typeof RecordFleetOrder>;
/** `manifest` is the digest of the new manifest, `n` its number, and `keys` the number of new keys in the pool. */
export const RecordedFleet = z.strictObject({ manifest: Digest, n: z.int().nonnegative(), keys: z.int().nonnegative() });
export type RecordedFleet = z.infer<typeof RecordedFleet>;

/**
 * Records the proofs of control that a device made. `input` is the text of the `SignedInput`, `outputJson` the JSON text that the
 * caller sent, and `file` the text of the `SignedOutputFile`, which has no keys and shares.
 */
export const RecordProofsOrder = z.strictObject({
  ...OfGroup,
  input: CeremonyText,
  outputJson: FileText,
  file: CeremonyText,
  ...Moment,
});
export type RecordProofsOrder = z.infer<typeof RecordProofsOrder>;
export const RecordedProofs = z.strictObject({});
export type RecordedProofs = z.infer<typeof RecordedProofs>;

/** Gives a key id to a key of the store's pool. A repeated order gets the same reply. */
export const AssignFleetKeyOrder = z.strictObject({
  ...OfGroup,
  storeId: Id,
  keyId: Id,
  ...KeyForms,
  publicKeyHex: PublicKey,
});
export type AssignFleetKeyOrder = z.infer<typeof AssignFleetKeyOrder>;
export const AssignedFleetKey = z.strictObject({});
export type AssignedFleetKey = z.infer<typeof AssignedFleetKey>;

/** The longest message that a key signs whole: the largest payload of EdDSA. */
const MESSAGE_BYTES_MAX = 32 * 1024;
/** The exact bytes that a device signs: 32 bytes for ECDSA, and the whole message for EdDSA. */
export const MessageHex = z
  .string()
  .max(2 + 2 * MESSAGE_BYTES_MAX)
  .regex(/^0x(?:[0-9a-f]{2})*$/);

/**
 * Records that a device made these signatures for a request that the signer vouched for, so that `wasSigned` knows them. The
 * messages and signatures are in the order of the vouch. A repeated order gets the same reply.
 */
export const RecordSignaturesOrder = z
  .strictObject({
    ...OfGroup,
    keyId: Id,
    messages: z.array(MessageHex).min(1).max(INPUTS_MAX),
    signatures: z.array(z.strictObject({ r: word, s: word })).max(INPUTS_MAX),
  })
  .refine(({ messages, signatures }) => messages.length === signatures.length);
export type RecordSignaturesOrder = z.infer<typeof RecordSignaturesOrder>;
export const RecordedSignatures = z.strictObject({});
export type RecordedSignatures = z.infer<typeof RecordedSignatures>;
