import { createHash, createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto';

/** A member of a JWK set (RFC 7517, RFC 8037). */
export type PublicJwk = {
  readonly kty: 'OKP';
  readonly crv: 'Ed25519';
  readonly x: string;
  readonly kid: string;
  readonly use: 'sig';
  readonly alg: 'EdDSA';
};

export type TokenKeySet = {
  /** The first key. Undefined if the first key is a public key. */
  readonly signing: { readonly kid: string; readonly privateKey: KeyObject } | undefined;
  /** Key objects, because the bytes of a PEM would also be accepted as an HMAC secret. */
  readonly verifying: ReadonlyMap<string, KeyObject>;
  readonly jwks: { readonly keys: readonly PublicJwk[] };
};

const PEM = /-----BEGIN (PRIVATE|PUBLIC) KEY-----[\s\S]+?-----END \1 KEY-----/g;

/**
 * Reads concatenated Ed25519 keys in PEM. The first key signs, and all keys verify. Throws for any other text, and for a key that
 * is listed twice. The error does not quote the text, because it may contain a secret.
 */
export function readTokenKeys(text: string): TokenKeySet {
  const pems = [...text.matchAll(PEM)].map(([pem, kind]) => ({ pem, isPrivate: kind === 'PRIVATE' }));
  if (pems.length === 0 || text.replaceAll(PEM, '').trim() !== '')
    throw new Error('The text contains no key, or contains something other than keys');
  const keys = pems.map(({ pem, isPrivate }) => {
    const privateKey = isPrivate ? privateKeyOf(pem) : undefined;
    const publicKey = createPublicKey(privateKey ?? pem);
    if (publicKey.asymmetricKeyType !== 'ed25519') throw new Error('Every key must be an Ed25519 key');
    const jwk = publicJwkOf(publicKey);
    return { jwk, privateKey, publicKey };
  });
  const verifying = new Map(keys.map(({ jwk, publicKey }) => [jwk.kid, publicKey]));
  if (verifying.size !== keys.length) throw new Error('A key is listed twice');
  const [first] = keys;
  return {
    signing: first?.privateKey && { kid: first.jwk.kid, privateKey: first.privateKey },
    verifying,
    jwks: { keys: keys.map(({ jwk }) => jwk) },
  };
}

function privateKeyOf(pem: string): KeyObject {
  try {
    return createPrivateKey(pem);
  } catch {
    throw new Error('A private key cannot be read');
  }
}

/** The key's id is its thumbprint (RFC 7638): the required members in the order of their names, without spaces. */
function publicJwkOf(publicKey: KeyObject): PublicJwk {
  const { x = '' } = publicKey.export({ format: 'jwk' });
  const kid = createHash('sha256')
    .update(JSON.stringify({ crv: 'Ed25519', kty: 'OKP', x }))
    .digest('base64url');
  return { kty: 'OKP', crv: 'Ed25519', x, kid, use: 'sig', alg: 'EdDSA' };
}
