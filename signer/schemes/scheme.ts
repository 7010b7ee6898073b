import type { KeyForm } from '../../domain/keys';
import { dhSecp256k1, ecdsaSecp256k1 } from './ecdsa-secp256k1';
import { ecdsaStark } from './ecdsa-stark';
import { ed25519 } from './ed25519';
import type { KeySignature, SchemeCode, SignOptions } from './key-signature';
import { schnorrSecp256k1 } from './schnorr';

export type { KeySignature, SchemeCode, SignOptions };

const SCHEMES: readonly (readonly [KeyForm, SchemeCode])[] = [
  [{ scheme: 'ECDSA', curve: 'secp256k1' }, ecdsaSecp256k1],
  [{ scheme: 'ECDSA', curve: 'stark' }, ecdsaStark],
  [{ scheme: 'EdDSA', curve: 'ed25519' }, ed25519],
  [{ scheme: 'Schnorr', curve: 'secp256k1' }, schnorrSecp256k1],
  [{ scheme: 'DH', curve: 'secp256k1' }, dhSecp256k1],
];

/** Throws for a scheme and a curve that do not go together. */
export function schemeOf({ scheme, curve }: KeyForm): SchemeCode {
  const found = SCHEMES.find(([form]) => form.scheme === scheme && form.curve === curve);
  if (!found) throw new Error(`there is no ${scheme} on ${curve}`);
  return found[1];
}
