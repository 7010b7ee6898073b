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
 * The DER object identifiers of the allowed curves in hex. A key with a named curve has this identifier directly after
 * `EC_PUBLIC_KEY_OID`. A key with explicit parameters contains the parameters there.
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
 * Parses PEM (SPKI or PKCS#1) or a line of OpenSSH. Allows Ed25519, P-256, P-384, P-521, secp256k1, and RSA of 2048 to 8192
 * bits with the exponent 65537; throws for any other key. A key in one of these formats must pass this function before the key
 * is stored.
 */
export function parseCredentialKey(text: string): KeyObject {
  if (text.length > PEM_LENGTH_MAX) throw new Error('The public key is too long');
  if (OPENSSH.test(text)) return assertAllowed(parseOpenSshKey(text));
  if (!PEM.test(text)) throw new Error('The public key must be one PEM block, SPKI or PKCS#1, or one line of OpenSSH');
  return assertAllowed(createPublicKey(text));
}

/** SPKI in PEM, the form in which keys are stored and shown. */
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
      // For explicit parameters, OpenSSL reports the curve that these parameters resemble. Such a key can contain the curve's
      // identifier in a different place, so the position of the identifier is checked.
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
 * Throws if the point is of small order or not in the group, because OpenSSL accepts any point. If a key is a point of small
 * order, one forged signature can be valid for every message.
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
 * Verifies ECDSA signatures in DER and RSA signatures in PKCS#1 v1.5. The digest is SHA-256, or SHA-512 if `algorithm` is
 * SHA512. Returns false for an unknown `algorithm`. Ed25519 has its own hash, and ignores `algorithm`.
 */
export function verifyAssertion(key: KeyObject, data: Uint8Array, signature: Uint8Array, algorithm = 'SHA256'): boolean {
  if (key.asymmetricKeyType === 'ed25519') return verify(null, data, key, rawEd25519(signature));
  const digest = DIGESTS.get(algorithm);
  return digest !== undefined && verify(digest, data, key, signature);
}

/** Unwraps a signature, because some clients wrap the 64 bytes of Ed25519 into an ASN.1 octet string or bit string. */
function rawEd25519(signature: Uint8Array): Uint8Array {
  const header = Buffer.from(signature.subarray(0, Math.max(0, signature.length - ED25519_SIGNATURE_BYTES))).toString('hex');
  return header === '0440' || header === '034100' ? signature.subarray(-ED25519_SIGNATURE_BYTES) : signature;
}
