import { createHash } from 'node:crypto';
import { z } from 'zod';
import { canonical } from '../canonical';
import { isEd25519Signed } from '../ed25519-verification';

/** The prefix of each type of statement keeps a signature from being read as another statement or as a transaction. */
export const STATEMENT_TYPES = ['card', 'input', 'output', 'manifest', 'share', 'vouch', 'key-proof'] as const;
export type StatementType = (typeof STATEMENT_TYPES)[number];

export const Digest = z.string().regex(/^[0-9a-f]{64}$/);
/** An Ed25519 or X25519 public key in hex. */
export const IdentityKey = z.string().regex(/^[0-9a-f]{64}$/);
const SIGNATURE_BYTES = 64;
/** The last character of base64 can have bits that mean nothing. Only one text of the bytes is accepted. */
export const OneBase64 = z.base64().refine((text) => Buffer.from(text, 'base64').toString('base64') === text);
export const Signature = OneBase64.length(Math.ceil(SIGNATURE_BYTES / 3) * 4);
export const BySigner = z.strictObject({ by: IdentityKey, signature: Signature });
export type BySigner = z.infer<typeof BySigner>;

type Body = Parameters<typeof canonical>[0];

/** The bytes that an identity key signs: the type of the statement, and the SHA-256 of the body as canonical JSON (RFC 8785). */
export const statementBytes = (type: StatementType, body: Body): Buffer =>
  Buffer.concat([
    Buffer.from(`strongroom/fleet/v1/${type}\0`, 'utf8'),
    createHash('sha256').update(canonical(body), 'utf8').digest(),
  ]);

/** `by` is an Ed25519 public key in hex. */
export const isStated = (type: StatementType, body: Body, { by, signature }: BySigner): boolean =>
  isEd25519Signed(by, statementBytes(type, body), signature);

const GROUPED_CHARS = 32;

/** The first half of a digest or key in groups of four, which people compare on paper. */
export const shortDigest = (digestHex: string): string => (digestHex.slice(0, GROUPED_CHARS).match(/.{4}/g) ?? []).join(' ');
