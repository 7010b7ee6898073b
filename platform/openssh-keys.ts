import { createPublicKey, type JsonWebKey, type KeyObject } from 'node:crypto';

/** RFC 5656 §3.1. `bytes` is the length of a coordinate. */
const EC_CURVES: ReadonlyMap<string, { readonly ssh: string; readonly jwk: string; readonly bytes: number }> = new Map([
  ['ecdsa-sha2-nistp256', { ssh: 'nistp256', jwk: 'P-256', bytes: 32 }],
  ['ecdsa-sha2-nistp384', { ssh: 'nistp384', jwk: 'P-384', bytes: 48 }],
  ['ecdsa-sha2-nistp521', { ssh: 'nistp521', jwk: 'P-521', bytes: 66 }],
  ['ecdsa-sha2-secp256k1', { ssh: 'secp256k1', jwk: 'secp256k1', bytes: 32 }],
]);
const ED25519_BYTES = 32;
const UNCOMPRESSED = 0x04;

/** Parses one line of an OpenSSH public key file (`ssh-ed25519 AAAA… comment`); throws for any other text. */
export function parseOpenSshKey(line: string): KeyObject {
  const [algorithm = '', text = ''] = line.trim().split(/[ \t]+/);
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(text)) throw new Error('The OpenSSH key is not base64');
  const fields = readerOf(Buffer.from(text, 'base64'));
  if (fields.next().toString('latin1') !== algorithm) throw new Error('The OpenSSH key names two algorithms');
  const jwk = jwkOf(algorithm, fields);
  if (!fields.ended()) throw new Error('The OpenSSH key has trailing bytes');
  return createPublicKey({ key: jwk, format: 'jwk' });
}

/** Reads the fields that follow the name of an algorithm (RFC 4253 §6.6, RFC 5656 §3.1, RFC 8709 §4). */
function jwkOf(algorithm: string, fields: Fields): JsonWebKey {
  if (algorithm === 'ssh-ed25519') {
    const point = fields.next();
    if (point.length !== ED25519_BYTES) throw new Error('The OpenSSH key has the wrong length');
    return { kty: 'OKP', crv: 'Ed25519', x: point.toString('base64url') };
  }
  if (algorithm === 'ssh-rsa') {
    const e = fields.next();
    return { kty: 'RSA', e: unsigned(e), n: unsigned(fields.next()) };
  }
  const curve = EC_CURVES.get(algorithm);
  if (!curve) throw new Error('The OpenSSH key must be ssh-ed25519, ssh-rsa or ecdsa-sha2');
  if (fields.next().toString('latin1') !== curve.ssh) throw new Error('The OpenSSH key names two curves');
  const point = fields.next();
  if (point.length !== 1 + 2 * curve.bytes || point[0] !== UNCOMPRESSED)
    throw new Error('The OpenSSH key has no uncompressed point');
  const x = point.subarray(1, 1 + curve.bytes).toString('base64url');
  return { kty: 'EC', crv: curve.jwk, x, y: point.subarray(1 + curve.bytes).toString('base64url') };
}

type Fields = { readonly next: () => Buffer; readonly ended: () => boolean };

/** Four bytes before each field contain its length (RFC 4251 §5). */
function readerOf(bytes: Buffer): Fields {
  let at = 0;
  return {
    next: () => {
      const start = at + 4;
      const end = start <= bytes.length ? start + bytes.readUInt32BE(at) : Number.POSITIVE_INFINITY;
      if (end > bytes.length) throw new Error('The OpenSSH key is truncated');
      at = end;
      return bytes.subarray(start, end);
    },
    ended: () => at === bytes.length,
  };
}

/** Removes the zero byte that marks a multiple-precision integer as positive. */
const unsigned = (integer: Buffer): string => (integer[0] === 0 ? integer.subarray(1) : integer).toString('base64url');
