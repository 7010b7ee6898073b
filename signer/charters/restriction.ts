import { z } from 'zod';
import { verifyAssertion } from '../../platform/credential-keys';
import { sha256Hex } from '../../platform/digests';
import { parseStrictJson } from '../../platform/strict-json';
import { usableKey } from '../../platform/usable-key';
import { hex, Id, inBytes } from '../wire/schemas';

/** About four times the size of a restriction with `REMOVES_MAX` removals. */
export const RESTRICTION_FILE_BYTES_MAX = 64 * 1024;
/** A part of the name of an offered file. A signer of an earlier release reads such a file as a malformed charter. */
export const RESTRICTION_MARK = '.restriction';
export const REMOVES_MAX = 100;
/** A member's key signs other texts too, so the signed bytes begin with their purpose. */
const PURPOSE = 'strongroom restriction v1\n';
/** The longest signature is one of RSA with 8192 bits. */
const SIGNATURE_CHARS_MAX = 1_368;

/** Removes one credential of the member. Without `credentialId`, removes the member. */
const Removal = z.strictObject({ userId: Id, credentialId: Id.exactOptional() });
export type Removal = z.infer<typeof Removal>;
const nameOf = ({ userId, credentialId = '' }: Removal): string => `${userId} ${credentialId}`;

/** The removals that a member signs. They apply only to the charter with the digest `charter`, which must be in force. */
const Restriction = z.strictObject({
  v: z.literal(1),
  signerId: Id,
  organizationId: Id,
  charter: hex(32),
  dateIssued: z.iso.datetime(),
  by: Id,
  removes: z
    .array(Removal)
    .min(1)
    .max(REMOVES_MAX)
    .refine((list) => new Set(list.map(nameOf)).size === list.length),
});
export type Restriction = z.infer<typeof Restriction>;

/**
 * The exact text of a restriction, and a base64 signature over `restrictionBytes` by a key of the member who issues the
 * restriction.
 */
export const SignedRestriction = z.strictObject({
  restriction: z.string().refine(inBytes(RESTRICTION_FILE_BYTES_MAX)),
  credentialId: Id,
  signature: z.base64().min(1).max(SIGNATURE_CHARS_MAX),
});
export type SignedRestriction = z.infer<typeof SignedRestriction>;

/** Undefined unless the text is a restriction of this version. */
export function readRestriction(text: string): Restriction | undefined {
  if (!inBytes(RESTRICTION_FILE_BYTES_MAX)(text)) return undefined;
  const json = parseStrictJson(Buffer.from(text, 'utf8'));
  return json.ok ? Restriction.safeParse(json.value).data : undefined;
}

/** Undefined unless the file holds a restriction of this version. Does not check the signature. */
export function readSignedRestriction(file: Uint8Array): SignedRestriction | undefined {
  if (file.length > RESTRICTION_FILE_BYTES_MAX) return undefined;
  const json = parseStrictJson(file);
  const signed = json.ok ? SignedRestriction.safeParse(json.value).data : undefined;
  return signed && readRestriction(signed.restriction) ? signed : undefined;
}

export const restrictionDigest = (text: string): string => sha256Hex(text);

/** The bytes that the member's key signs. */
export const restrictionBytes = (text: string): Buffer => Buffer.from(`${PURPOSE}${text}`, 'utf8');

/** `publicKey` belongs to a credential of the charter. Ed25519 hashes the bytes itself; every other key signs their SHA-256. */
export function isRestrictionSignedBy(publicKey: string, { restriction, signature }: SignedRestriction): boolean {
  const key = usableKey(publicKey);
  return key !== undefined && verifyAssertion(key, restrictionBytes(restriction), Buffer.from(signature, 'base64'));
}
