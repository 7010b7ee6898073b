import { ed25519 } from '@noble/curves/ed25519.js';
import { secp256k1 } from '@noble/curves/secp256k1.js';
import type { FleetCurve } from '../../domain/fleets';
import { keyProofDigest, type ProofPlace, type ProvenKey } from '../../platform/fleets/key-proofs';
import { fleetSecret } from './slip10';

type Curve = {
  readonly publicKey: (secret: Uint8Array) => Uint8Array;
  readonly sign: (message: Uint8Array, secret: Uint8Array) => Uint8Array;
};

/** ECDSA signs a digest, deterministically (RFC 6979) and with the lower s. Ed25519 signs the whole message. */
const CURVES: Readonly<Record<FleetCurve, Curve>> = {
  secp256k1: {
    publicKey: (secret) => secp256k1.getPublicKey(secret, true),
    sign: (message, secret) => secp256k1.sign(message, secret, { prehash: false, lowS: true, extraEntropy: false }),
  },
  ed25519: {
    publicKey: (secret) => ed25519.getPublicKey(secret),
    sign: (message, secret) => ed25519.sign(message, secret),
  },
};

export const publicKeyOf = (curve: FleetCurve, secret: Uint8Array): string =>
  Buffer.from(CURVES[curve].publicKey(secret)).toString('hex');

/** 64 bytes in hex. `message` is a digest on secp256k1, and the whole message on Ed25519. */
export const signMessage = (curve: FleetCurve, message: Uint8Array, secret: Uint8Array): string =>
  Buffer.from(CURVES[curve].sign(message, secret)).toString('hex');

export function proveKey(master: Buffer, curve: FleetCurve, index: number, place: ProofPlace): ProvenKey {
  const secret = fleetSecret(master, curve, index);
  try {
    const key = { curve, index, publicKey: publicKeyOf(curve, secret) };
    return { ...key, proof: signMessage(curve, keyProofDigest(key, place), secret) };
  } finally {
    secret.fill(0);
  }
}

type Counts = Readonly<Record<FleetCurve, number>>;

/** The next keys of both curves. */
export function proveNextKeys(master: Buffer, from: Counts, counts: Counts, place: ProofPlace): readonly ProvenKey[] {
  return (['secp256k1', 'ed25519'] as const satisfies readonly FleetCurve[]).flatMap((curve) =>
    Array.from({ length: counts[curve] }, (_, at) => proveKey(master, curve, from[curve] + at, place)),
  );
}
