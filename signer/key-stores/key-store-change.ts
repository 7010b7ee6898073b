import { type KeyObject, verify } from 'node:crypto';
import { z } from 'zod';
import { IS_ADDED, KEY_STORE_KINDS, KEY_STORE_NAME_CHARS_MAX, STORE_REVIEWERS_MAX } from '../../domain/key-stores';
import { sha256Hex } from '../../platform/digests';
import { parseStrictJson } from '../../platform/strict-json';
import { hex, Id, inBytes } from '../wire/schemas';

export const KEY_STORE_FILE_BYTES_MAX = 8 * 1024;
/** A part of the name of an offered file. A signer of an earlier release reads such a file as a malformed charter. */
export const KEY_STORE_MARK = '.key-store';
/** The operator's key signs other texts too, so the signed bytes begin with their purpose. */
const PURPOSE = 'strongroom key store v1\n';
const SIGNATURE_BYTES = 64;

/** Visible characters only: people compare names on terminals and in pages. */
const Name = z
  .string()
  .max(KEY_STORE_NAME_CHARS_MAX)
  .regex(/^[^\p{C}\p{Z}](?: ?[^\p{C}\p{Z}])*$/u);
const OfStore = { storeId: Id };
const Reviewers = z.int().min(1).max(STORE_REVIEWERS_MAX);

/** A store keeps its id, its kind and its keys for ever. `Drain` cannot be undone, so a mistake needs a new store. */
const Change = z.discriminatedUnion('kind', [
  z.strictObject({
    ...{ kind: z.literal('Add'), ...OfStore, name: Name },
    storeKind: z.enum(KEY_STORE_KINDS.filter((kind) => IS_ADDED[kind])),
    reviewers: Reviewers.exactOptional(),
  }),
  z.strictObject({ kind: z.literal('Name'), ...OfStore, name: Name }),
  z.strictObject({ kind: z.literal('SetReviewers'), ...OfStore, reviewers: Reviewers }),
  z.strictObject({ kind: z.literal('MakePrimary'), ...OfStore }),
  z.strictObject({ kind: z.literal('Drain'), ...OfStore }),
  z.strictObject({ kind: z.literal('Remove'), ...OfStore }),
]);
export type KeyStoreChange = z.infer<typeof Change>;

/** `n` counts the organisation's entries from 1, and `previous` is the digest of the previous entry. */
const KeyStoreEntry = z
  .strictObject({
    v: z.literal(1),
    signerId: Id,
    organizationId: Id,
    n: z.int().positive(),
    previous: hex(32).nullable(),
    dateIssued: z.iso.datetime(),
    change: Change,
  })
  .refine(({ n, previous }) => (n === 1) === (previous === null));
export type KeyStoreEntry = z.infer<typeof KeyStoreEntry>;

/** The exact text of an entry, and the operator's Ed25519 signature over `keyStoreBytes`, in base64. */
export const SignedKeyStoreEntry = z.strictObject({
  entry: z.string().refine(inBytes(KEY_STORE_FILE_BYTES_MAX)),
  signature: z.base64(),
});
export type SignedKeyStoreEntry = z.infer<typeof SignedKeyStoreEntry>;

/** Undefined unless the text is an entry of this version. */
export function readKeyStoreEntry(text: string): KeyStoreEntry | undefined {
  if (!inBytes(KEY_STORE_FILE_BYTES_MAX)(text)) return undefined;
  const json = parseStrictJson(Buffer.from(text, 'utf8'));
  return json.ok ? KeyStoreEntry.safeParse(json.value).data : undefined;
}

/** Undefined unless the file holds an entry of this version. Does not check the signature. */
export function readSignedKeyStoreEntry(file: Uint8Array): SignedKeyStoreEntry | undefined {
  if (file.length > KEY_STORE_FILE_BYTES_MAX) return undefined;
  const json = parseStrictJson(file);
  const signed = json.ok ? SignedKeyStoreEntry.safeParse(json.value).data : undefined;
  return signed && readKeyStoreEntry(signed.entry) ? signed : undefined;
}

export const keyStoreDigest = (text: string): string => sha256Hex(text);

/** The bytes that the operator's key signs. */
export const keyStoreBytes = (text: string): Buffer => Buffer.from(`${PURPOSE}${text}`, 'utf8');

export function isKeyStoreEntrySignedBy(key: KeyObject, { entry, signature }: SignedKeyStoreEntry): boolean {
  const bytes = Buffer.from(signature, 'base64');
  return bytes.length === SIGNATURE_BYTES && verify(null, keyStoreBytes(entry), key, bytes);
}
