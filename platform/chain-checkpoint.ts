import { z } from 'zod';
import { isEd25519Signed } from './ed25519-verification';

/** This prefix separates checkpoints from the attestations of addresses, which the same key signs. */
const PURPOSE = 'strongroom/feed-checkpoint/v1\0';
const SIGNATURE_BYTES = 64;
const TEXT_CHARS_MAX = 1_024;

const Id = z.string().regex(/^[A-Za-z0-9_-]{1,64}$/);

export const FeedSequence = z.int().min(1);
export const FeedHash = z.string().regex(/^[0-9a-f]{64}$/);

/** The signer's statement: the service has shown this head of the organisation's feed to the signer at this time. */
const FeedCheckpoint = z.strictObject({
  v: z.literal(1),
  signerId: Id,
  organizationId: Id,
  sequence: FeedSequence,
  hash: FeedHash,
  dateSigned: z.iso.datetime(),
});
export type FeedCheckpoint = z.infer<typeof FeedCheckpoint>;

/** The exact signed text, and the Ed25519 signature over `checkpointBytes` in base64. */
export const SignedCheckpoint = z.strictObject({
  statement: z.string().max(TEXT_CHARS_MAX),
  signature: z.base64().length(Math.ceil(SIGNATURE_BYTES / 3) * 4),
});
export type SignedCheckpoint = z.infer<typeof SignedCheckpoint>;

export const checkpointBytes = (text: string): Buffer => Buffer.from(`${PURPOSE}${text}`, 'utf8');

/** Undefined for a text that no signer writes. */
export function readCheckpoint(text: string): FeedCheckpoint | undefined {
  try {
    const read = FeedCheckpoint.safeParse(JSON.parse(text)).data;
    // Only the canonical text is accepted, so no member can occur twice.
    return read && JSON.stringify(read) === text ? read : undefined;
  } catch {
    return undefined;
  }
}

/** `keyHex` is the signer's Ed25519 public key for attestations, 32 bytes in hex. */
export const isCheckpointOf = (keyHex: string, { statement, signature }: SignedCheckpoint): boolean =>
  isEd25519Signed(keyHex, checkpointBytes(statement), signature);
