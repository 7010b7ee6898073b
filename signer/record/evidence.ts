import { z } from 'zod';
import { ANCHOR_CHARS_MAX } from '../../domain/anchors';
import { SIGNED_BODY_BYTES_MAX } from '../../domain/charters';
import { hex, Id, inBytes } from '../wire/schemas';

const Text = z.string().max(8 * 1024);
/**
 * An `Initiator` or `Approver` is a signed user action, with all data from which the challenge was computed. An `Approval` is
 * the digest of an approval, with the text from which it was computed in `committed`. The signer judges evidence only if the
 * organisation has a charter.
 */
export const Evidence = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.enum(['Initiator', 'Approver']),
    userId: Id,
    /** The credential that signed, and all credentials that could have signed. */
    credentialId: Text,
    credentialIds: z.array(Text).max(64),
    method: Text,
    path: Text,
    bodySha256: hex(32),
    dateExpires: z.iso.datetime(),
    approvalDigest: hex(32).nullable(),
    /** Absent if the action was announced without an anchor. */
    anchor: z.string().max(ANCHOR_CHARS_MAX).exactOptional(),
    nonce: Text,
    challenge: Text,
    firstFactorKind: Text,
    publicKey: Text.nullable(),
    clientData: Text.nullable(),
    authenticatorData: Text.nullable(),
    signature: Text.nullable(),
    /** The second factor's assertion as JSON text. */
    secondFactor: Text.nullable(),
    /**
     * The exact text of the body. Absent if the service does not keep the text, because the text may contain a secret. The
     * journal does not record the body.
     */
    body: z.string().max(SIGNED_BODY_BYTES_MAX).optional(),
    /** For a decision on several approvals, their ids and digests as JSON text. */
    decided: z.string().max(SIGNED_BODY_BYTES_MAX).optional(),
  }),
  z.strictObject({ kind: z.literal('Approval'), approvalId: Id, digest: hex(32), committed: z.string() }),
]);
export type Evidence = z.infer<typeof Evidence>;
const EVIDENCE_ENTRIES_MAX = 64;
/** The limits of the recorded evidence and of the whole evidence. */
const RECORDED_BYTES_MAX = 96 * 1024;
const EVIDENCE_BYTES_MAX = 512 * 1024;
export const EvidenceList = z
  .array(Evidence)
  .max(EVIDENCE_ENTRIES_MAX)
  .refine((list) => inBytes(EVIDENCE_BYTES_MAX)(JSON.stringify(list)))
  .refine((list) => inBytes(RECORDED_BYTES_MAX)(JSON.stringify(recorded(list))));

/** Removes the bodies, which may name people, and the lists of decisions. Their digests remain. */
export const recorded = (list: readonly Evidence[]): Evidence[] =>
  list.map((one) => (one.kind === 'Approval' ? one : withoutBody(one)));

const withoutBody = ({ body: _body, decided: _decided, ...rest }: Exclude<Evidence, { kind: 'Approval' }>): Evidence => rest;
