import { createPublicKey, type KeyObject, verify } from 'node:crypto';
import { ed25519 } from '@noble/curves/ed25519.js';
import { parseOpenSshKey } from './openssh-keys';

const PEM = /^-----BEGIN (RSA )?PUBLIC KEY-----\r?\n[A-Za-z0-9+/=\r\n]+-----END (RSA )?PUBLIC KEY-----\s*$/;
const OPENSSH = /^(ssh|ecdsa)-[a-z0-9-]+ /;
const PEM_LENGTH_MAX = 8_192;
const RSA_BITS_MIN = 2_048;
const RSA_BITS_MAX = 8_192;
const RSA_EXPONENT = 65_537n;
/**
 * The object identifiers of the allowed curves, as bytes in hex. A key that names its curve has the identifier of the curve
 * directly after `EC_PUBLIC_KEY_OID`. A key with explicit parameters has the parameters in this place.
 */
const CURVE_OIDS: Readonly<Record<string, string>> = {
  prime256v1: '06082a8648ce3d030107',
  secp256k1: '06052b8104000a',
  secp384r1: '06052b81040022',
  secp521r1: '06052b81040023',
};
const EC_PUBLIC_KEY_OID = '06072a8648ce3d0201';
const ED25519_BYTES = 32;
const ED25519_SIGNATURE_BYTES = 64;
const DIGESTS: ReadonlyMap<string, string> = new Map([
  ['SHA256', 'sha256'],
  ['RSA-SHA256', 'sha256'],
  ['SHA512', 'sha512'],
]);

/**
 * Parses a credential's public key from PEM (SPKI or PKCS#1) or a line of OpenSSH. Every key must pass this function before the
 * key is stored. The function allows Ed25519, P-256, P-384, P-521, secp256k1 and RSA of 2048 to 8192 bits. For any other key
 * the function throws an error with the reason.
 */
export function parseCredentialKey(text: string): KeyObject {
  if (text.length > PEM_LENGTH_MAX) throw new Error('The public key is too long');
  if (OPENSSH.test(text)) return assertAllowed(parseOpenSshKey(text));
  if (!PEM.test(text)) throw new Error('The public key must be one PEM block, SPKI or PKCS#1, or one line of OpenSSH');
  return assertAllowed(createPublicKey(text));
}

/** The key as SPKI in PEM, which is the form in which keys are stored and shown. */
export const pemOf = (key: KeyObject): string => key.export({ format: 'pem', type: 'spki' }).toString();

function assertAllowed(key: KeyObject): KeyObject {
  const details = key.asymmetricKeyDetails;
  switch (key.asymmetricKeyType) {
    case 'ed25519':
      assertSoundPoint(spkiOf(key).subarray(-ED25519_BYTES));
      return key;
    case 'ec': {
      const oid = CURVE_OIDS[details?.namedCurve ?? ''];
      if (oid === undefined) throw new Error('The curve must be P-256, P-384, P-521 or secp256k1');
      // For a key with explicit parameters, OpenSSL reports the name of the curve that these parameters resemble. The key can
      // contain the curve's identifier in another place, so the place of the identifier is checked.
      if (!new RegExp(`^30(81)?..30..${EC_PUBLIC_KEY_OID}${oid}03`).test(spkiOf(key).toString('hex')))
        throw new Error('The curve must be named, not given by parameters');
      return key;
    }
    case 'rsa': {
      const bits = details?.modulusLength ?? 0;
      if (bits < RSA_BITS_MIN || bits > RSA_BITS_MAX)
        throw new Error(`An RSA key must have ${RSA_BITS_MIN} to ${RSA_BITS_MAX} bits`);
      if (details?.publicExponent !== RSA_EXPONENT) throw new Error('The public exponent of an RSA key must be 65537');
      return key;
    }
    default:
      throw new Error('The key must be Ed25519, P-256, P-384, P-521, secp256k1 or RSA');
  }
}

/**
 * Throws unless the point is in the group, because OpenSSL accepts any point. If the key is a point of small order, a forged
 * signature can be valid for every message, so a signature proves nothing.
 */
function assertSoundPoint(encoded: Uint8Array): void {
  try {
    const point = ed25519.Point.fromBytes(encoded);
    if (!point.isSmallOrder() && point.isTorsionFree()) return;
  } catch {
    // The bytes are not the canonical encoding of a point.
  }
  throw new Error('The Ed25519 key is of small order, or not in the group');
}

const spkiOf = (key: KeyObject): Buffer => key.export({ format: 'der', type: 'spki' });

/**
 * Tells whether the key made the signature over exactly these bytes. ECDSA signatures are in DER, and RSA signatures are in
 * PKCS#1 v1.5. Both kinds of signature are over SHA-256 unless `algorithm` names SHA512. For Ed25519 `algorithm` is ignored,
 * because Ed25519 has its own hash.
 */
export function verifyAssertion(key: KeyObject, data: Uint8Array, signature: Uint8Array, algorithm = 'SHA256'): boolean {
  if (key.asymmetricKeyType === 'ed25519') return verify(null, data, key, rawEd25519(signature));
  const digest = DIGESTS.get(algorithm);
  return digest !== undefined && verify(digest, data, key, signature);
}

/** The 64 bytes of an Ed25519 signature. Some clients wrap these bytes into an ASN.1 octet string or bit string. */
function rawEd25519(signature: Uint8Array): Uint8Array {
  const header = Buffer.from(signature.subarray(0, Math.max(0, signature.length - ED25519_SIGNATURE_BYTES))).toString('hex');
  return header === '0440' || header === '034100' ? signature.subarray(-ED25519_SIGNATURE_BYTES) : signature;
}
