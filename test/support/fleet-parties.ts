import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { ed25519 } from '@noble/curves/ed25519.js';
import { secp256k1 } from '@noble/curves/secp256k1.js';
import type { FleetCurve } from '../../domain/fleets';
import { digestOf } from '../../platform/canonical';
import type { Card, CardRole } from '../../platform/fleets/cards';
import type { FleetKey } from '../../platform/fleets/inputs';
import { keyProofDigest, type ProofPlace, type ProvenKey } from '../../platform/fleets/key-proofs';
import type { FleetManifest, SignedManifest } from '../../platform/fleets/manifests';
import { type BySigner, type StatementType, statementBytes } from '../../platform/fleets/statement';

/** A device, a provisioner, an operator or the signer of a test, with its keys in memory. */
export type Party = {
  readonly card: Card;
  readonly by: string;
  readonly state: (type: StatementType, body: unknown) => BySigner;
};

const rawPublic = (key: KeyObject): string => key.export({ format: 'der', type: 'spki' }).subarray(-32).toString('hex');

export function createParty(role: CardRole, serial: string): Party {
  const signing = generateKeyPairSync('ed25519');
  const sealing = generateKeyPairSync('x25519');
  const by = rawPublic(signing.publicKey);
  const state = (type: StatementType, body: unknown): BySigner => ({
    by,
    signature: sign(null, statementBytes(type, body as never), signing.privateKey).toString('base64'),
  });
  const open = { v: 1, role, serial, signingKey: by, sealingKey: rawPublic(sealing.publicKey) } as const;
  return { card: { ...open, signature: state('card', open).signature }, by, state };
}

export const signedManifest = (manifest: FleetManifest, ...parties: readonly Party[]): SignedManifest => ({
  manifest,
  signatures: parties.map(({ state }) => state('manifest', manifest)),
});

/** Not the derivation of a device: any secrets do, as long as equal masters give equal keys. */
const secretOf = (master: string, curve: FleetCurve, index: number): Buffer =>
  Buffer.from(digestOf({ master, curve, index }), 'hex');

export const keyOf = (master: string, curve: FleetCurve, index: number): FleetKey => {
  const secret = secretOf(master, curve, index);
  const publicKey = curve === 'ed25519' ? ed25519.getPublicKey(secret) : secp256k1.getPublicKey(secret, true);
  return { curve, index, publicKey: Buffer.from(publicKey).toString('hex') };
};

/** 64 bytes in hex. `message` is a digest on secp256k1. */
export const signWith = (master: string, { curve, index }: Pick<FleetKey, 'curve' | 'index'>, message: Uint8Array): string => {
  const secret = secretOf(master, curve, index);
  const signature =
    curve === 'ed25519' ? ed25519.sign(message, secret) : secp256k1.sign(message, secret, { prehash: false, lowS: true });
  return Buffer.from(signature).toString('hex');
};

export const provenKey = (master: string, curve: FleetCurve, index: number, place: ProofPlace): ProvenKey => {
  const key = keyOf(master, curve, index);
  return { ...key, proof: signWith(master, key, keyProofDigest(key, place)) };
};
