import { createHash, createPublicKey, verify } from 'node:crypto';
import { promisify } from 'node:util';
import { ed25519 } from '@noble/curves/ed25519.js';
import { secp256k1 } from '@noble/curves/secp256k1.js';
import { z } from 'zod';
import type { FleetCurve } from '../../domain/fleets';
import { KEY_INDEX_MAX } from './manifests';
import { statementBytes } from './statement';

/** The public key is compressed on secp256k1 (SEC 1). The proof is 64 bytes: r and s of ECDSA, or the signature of Ed25519. */
export const ProvenKey = z.strictObject({
  curve: z.enum(['secp256k1', 'ed25519'] as const satisfies readonly FleetCurve[]),
  index: z.int().min(0).max(KEY_INDEX_MAX),
  publicKey: z.string().regex(/^(?:[0-9a-f]{64}|0[23][0-9a-f]{64})$/),
  proof: z.string().regex(/^[0-9a-f]{128}$/),
});
export type ProvenKey = z.infer<typeof ProvenKey>;

type Claimed = Omit<ProvenKey, 'proof'>;
export type ProofPlace = { readonly storeId: string; readonly groupId: string };

/** SubjectPublicKeyInfo up to the key (RFC 5480 with a compressed point, and RFC 8410). */
const SPKI_PREFIXES = {
  secp256k1: Buffer.from('3036301006072a8648ce3d020106052b8104000a032200', 'hex'),
  ed25519: Buffer.from('302a300506032b6570032100', 'hex'),
} as const satisfies Record<FleetCurve, Buffer>;
const HALF_ORDER = secp256k1.Point.Fn.ORDER / 2n;
const S_DIGITS = 64;

/** The proof covers the group, so the proof of another group or store does not count. */
const provenBytes = ({ curve, index, publicKey }: Claimed, { storeId, groupId }: ProofPlace): Buffer =>
  statementBytes('key-proof', { curve, index, publicKey, storeId, groupId });

/** What the key signs: with ECDSA as the digest, with Ed25519 as the message. */
export const keyProofDigest = (key: Claimed, place: ProofPlace): Uint8Array =>
  createHash('sha256').update(provenBytes(key, place)).digest();

/** Conditions of a sound proof that OpenSSL does not check: one form of each signature, and no key for which anyone can sign. */
const IS_SOUND = {
  secp256k1: ({ proof }) => BigInt(`0x${proof.slice(-S_DIGITS)}`) <= HALF_ORDER,
  ed25519: ({ publicKey }) => !ed25519.Point.fromHex(publicKey).isSmallOrder(),
} as const satisfies Record<FleetCurve, (key: ProvenKey) => boolean>;

/** Node verifies in its thread pool, so a thousand proofs do not hold back the orders of the process. */
const verified = promisify(verify);

/** True if the holder of the secret key made the proof for this group and index. */
export async function isProvenKey(key: ProvenKey, place: ProofPlace): Promise<boolean> {
  const { curve, publicKey, proof } = key;
  try {
    if (!IS_SOUND[curve](key)) return false;
    const der = Buffer.concat([SPKI_PREFIXES[curve], Buffer.from(publicKey, 'hex')]);
    const by = createPublicKey({ key: der, format: 'der', type: 'spki' });
    const [bytes, signature] = [provenBytes(key, place), Buffer.from(proof, 'hex')];
    return await (curve === 'ed25519'
      ? verified(null, keyProofDigest(key, place), by, signature)
      : verified('sha256', bytes, { key: by, dsaEncoding: 'ieee-p1363' }, signature));
  } catch {
    return false;
  }
}
