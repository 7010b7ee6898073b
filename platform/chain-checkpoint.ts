import { z } from 'zod';
import type { HashChain } from '../domain/hash-chains';
import { isEd25519Signed } from './ed25519-verification';

const SIGNATURE_BYTES = 64;
const TEXT_CHARS_MAX = 1_024;

const Id = z.string().regex(/^[A-Za-z0-9_-]{1,64}$/);

export const ChainSequence = z.int().min(1);
export const ChainHash = z.string().regex(/^[0-9a-f]{64}$/);

const Feed = z.strictObject({
  v: z.literal(1),
  signerId: Id,
  organizationId: Id,
  sequence: ChainSequence,
  hash: ChainHash,
  dateSigned: z.iso.datetime(),
});
/** Statements about a feed do not name a chain, because their form is older than the audit log. */
const STATEMENTS = { feed: Feed, audit: Feed.extend({ chain: z.literal('audit') }) } as const satisfies Record<
  HashChain,
  z.ZodType
>;

/** The signer's statement: the service has shown this head of the organisation's chain to the signer at this time. */
export type ChainCheckpoint = z.infer<typeof Feed>;

/** The exact signed text, and the Ed25519 signature over `checkpointBytes` in base64. */
export const SignedCheckpoint = z.strictObject({
  statement: z.string().max(TEXT_CHARS_MAX),
  signature: z.base64().length(Math.ceil(SIGNATURE_BYTES / 3) * 4),
});
export type SignedCheckpoint = z.infer<typeof SignedCheckpoint>;

/**
 * The prefix distinguishes the chains from each other. It also distinguishes checkpoints from the attestations of addresses,
 * which the same key signs.
 */
export const checkpointBytes = (chain: HashChain, text: string): Buffer =>
  Buffer.from(`strongroom/${chain}-checkpoint/v1\0${text}`, 'utf8');

export const checkpointText = (chain: HashChain, checkpoint: ChainCheckpoint): string =>
  JSON.stringify(chain === 'feed' ? checkpoint : { ...checkpoint, chain });

/** Returns undefined if the text is not in the exact form in which signers write about this chain. */
export function readCheckpoint(chain: HashChain, text: string): ChainCheckpoint | undefined {
  try {
    const read = STATEMENTS[chain].safeParse(JSON.parse(text)).data;
    // Only the canonical text is accepted, so no member can occur twice.
    return read && JSON.stringify(read) === text ? read : undefined;
  } catch {
    return undefined;
  }
}

/** `keyHex` is the signer's Ed25519 public key for attestations, 32 bytes in hex. */
export const isCheckpointOf = (chain: HashChain, keyHex: string, { statement, signature }: SignedCheckpoint): boolean =>
  isEd25519Signed(keyHex, checkpointBytes(chain, statement), signature);
