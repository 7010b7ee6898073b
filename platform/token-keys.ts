import { createHash, createPrivateKey, createPublicKey } from 'node:crypto';
import { type JWTPayload, jwtVerify, SignJWT } from 'jose';

/** Each purpose has its own `typ` header (RFC 8725 §3.11), so that no token passes for one of another purpose. */
export const TOKEN_TYPES = {
  bearer: 'at+jwt',
  challenge: 'challenge+jwt',
  userAction: 'useraction+jwt',
  /** Names the challenge of a login or of a new credential. */
  ceremony: 'ceremony+jwt',
  /** The bearer of a registration or a recovery that has begun. */
  temporary: 'temporary+jwt',
} as const;

export type TokenType = keyof typeof TOKEN_TYPES;

/** `id` is the row behind the token, `userId` its owner. */
export type TokenClaims = { readonly id: string; readonly userId: string; readonly orgId: string };

export type TokenKeys = {
  readonly sign: (type: TokenType, claims: TokenClaims, dateExpires: Date) => Promise<string>;
  /** The claims of a token of this type that is ours and has not expired; undefined for every other text. */
  readonly verify: (type: TokenType, token: string) => Promise<TokenClaims | undefined>;
};

const ISSUER = 'strongroom';
const AUDIENCE = 'strongroom-api';
const ALGORITHM = 'EdDSA';
/** Where published clients look for the organisation. */
const METADATA_CLAIM = 'https://custom/app_metadata';
const TOKEN_LENGTH_MAX = 4_096;
const VERIFIED_MAX = 10_000;

/** Signs and verifies our JWTs with an Ed25519 key given as PKCS#8 PEM; throws at start for any other key. */
export function createTokenKeys(pem: string): TokenKeys {
  const privateKey = createPrivateKey(pem);
  if (privateKey.asymmetricKeyType !== 'ed25519') throw new Error('The token key must be an Ed25519 key');
  // A key object, never the PEM as bytes: bytes would also do as an HMAC secret.
  const publicKey = createPublicKey(privateKey);
  /**
   * Bearer tokens whose signature was found good, by digest, with their last second: the same bytes under the same key are as
   * good the next time. Whether a token still counts is asked of its row at every request.
   */
  const verified = new Map<string, { readonly claims: TokenClaims; readonly expSeconds: number }>();

  const remember = (digest: string, claims: TokenClaims, expSeconds: number): void => {
    const [oldest] = verified.keys();
    if (verified.size >= VERIFIED_MAX && oldest !== undefined) verified.delete(oldest);
    verified.set(digest, { claims, expSeconds });
  };

  return {
    sign: (type, { id, userId, orgId }, dateExpires) =>
      new SignJWT({ [METADATA_CLAIM]: { orgId } })
        .setProtectedHeader({ alg: ALGORITHM, typ: TOKEN_TYPES[type] })
        .setJti(id)
        .setSubject(userId)
        .setIssuer(ISSUER)
        .setAudience(AUDIENCE)
        .setIssuedAt()
        .setExpirationTime(dateExpires)
        .sign(privateKey),
    verify: async (type, token) => {
      if (token.length > TOKEN_LENGTH_MAX) return undefined;
      const digest = type === 'bearer' ? createHash('sha256').update(token).digest('base64') : undefined;
      const known = digest === undefined ? undefined : verified.get(digest);
      if (known && known.expSeconds > Date.now() / 1_000) return known.claims;
      try {
        const { payload } = await jwtVerify(token, publicKey, {
          algorithms: [ALGORITHM],
          typ: TOKEN_TYPES[type],
          issuer: ISSUER,
          audience: AUDIENCE,
          requiredClaims: ['jti', 'sub', 'iat', 'exp', METADATA_CLAIM],
        });
        const claims = claimsOf(payload);
        if (digest !== undefined && claims && payload.exp !== undefined) remember(digest, claims, payload.exp);
        return claims;
      } catch {
        // Which check failed is nobody's business outside.
        return undefined;
      }
    },
  };
}

function claimsOf({ jti, sub, [METADATA_CLAIM]: metadata }: JWTPayload): TokenClaims | undefined {
  if (typeof metadata !== 'object' || metadata === null || !('orgId' in metadata)) return undefined;
  const { orgId } = metadata;
  if (jti === undefined || sub === undefined || typeof orgId !== 'string') return undefined;
  return { id: jti, userId: sub, orgId };
}
