import { createHash } from 'node:crypto';
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

/** The proof covers the group, so the proof of another group or store does not count. */
export const keyProofDigest = ({ curve, index, publicKey }: Claimed, { storeId, groupId }: ProofPlace): Uint8Array =>
  createHash('sha256').update(statementBytes('key-proof', { curve, index, publicKey, storeId, groupId })).digest();

const VERIFY = {
  secp256k1: (proof, digest, key) => secp256k1.verify(proof, digest, key, { prehash: false, lowS: true }),
  ed25519: (proof, digest, key) => ed25519.verify(proof, digest, key, { zip215: false }),
} as const satisfies Record<FleetCurve, (proof: Uint8Array, digest: Uint8Array, key: Uint8Array) => boolean>;

/** True if the holder of the secret key made the proof for this group and index. */
export function isProvenKey(key: ProvenKey, place: ProofPlace): boolean {
  if (key.publicKey.length !== (key.curve === 'ed25519' ? 64 : 66)) return false;
  try {
    const [proof, publicKey] = [Buffer.from(key.proof, 'hex'), Buffer.from(key.publicKey, 'hex')];
    return VERIFY[key.curve](proof, keyProofDigest(key, place), publicKey);
  } catch {
    return false;
  }
}
