import { type JWTPayload, jwtVerify, SignJWT } from 'jose';
import { sha256Hex } from './digests';
import { type PublicJwk, readTokenKeys, type TokenKeySet } from './token-key-set';

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
/** With the SHA-256 of the token as hex, by which its row knows it. */
export type VerifiedClaims = TokenClaims & { readonly tokenDigest: string };

/** Verifies tokens and can make none. */
export type TokenVerifier = {
  /** The claims of a token of this type that is ours and has not expired; undefined for every other text. */
  readonly verify: (type: TokenType, token: string) => Promise<VerifiedClaims | undefined>;
};

export type TokenKeys = TokenVerifier & {
  readonly sign: (type: TokenType, claims: TokenClaims, dateExpires: Date) => Promise<string>;
  /** The public keys, for whoever wants to verify a token of ours. */
  readonly jwks: { readonly keys: readonly PublicJwk[] };
};

/**
 * So far may the clocks of two processes and of the database be apart. A token is taken so long beyond its last second, and from so
 * far in the future; whether it still counts is asked of its row, by the database's clock.
 */
export const CLOCK_SKEW_MAX_SECONDS = 30;

const ISSUER = 'strongroom';
const AUDIENCE = 'strongroom-api';
const ALGORITHM = 'EdDSA';
/** Where published clients look for the organisation. */
const METADATA_CLAIM = 'https://custom/app_metadata';
const TOKEN_LENGTH_MAX = 4_096;
const VERIFIED_MAX = 10_000;

/** Signs with the first of these Ed25519 keys (PEM, one behind the other) and verifies with all; throws for anything else. */
export function createTokenKeys(pems: string): TokenKeys {
  const set = readTokenKeys(pems);
  const { signing } = set;
  if (!signing) throw new Error('The first token key must be a private key');
  const verified = rememberVerified();
  return {
    jwks: set.jwks,
    verify: verifierOf(set, verified),
    sign: async (type, { id, userId, orgId }, dateExpires) => {
      const token = await new SignJWT({ [METADATA_CLAIM]: { orgId } })
        .setProtectedHeader({ alg: ALGORITHM, typ: TOKEN_TYPES[type], kid: signing.kid })
        .setJti(id)
        .setSubject(userId)
        .setIssuer(ISSUER)
        .setAudience(AUDIENCE)
        .setIssuedAt()
        .setExpirationTime(dateExpires)
        .sign(signing.privateKey);
      // It comes back to this process more often than not: the calls of a user action follow each other.
      const expSeconds = Math.floor(dateExpires.getTime() / 1_000);
      verified.add(type, { id, userId, orgId, tokenDigest: sha256Hex(token) }, expSeconds);
      return token;
    },
  };
}

/** As `createTokenKeys`, for a program that shall not sign: public keys are enough. */
export const createTokenVerifier = (pems: string): TokenVerifier => ({
  verify: verifierOf(readTokenKeys(pems), rememberVerified()),
});

type Verified = {
  readonly add: (type: TokenType, claims: VerifiedClaims, expSeconds: number) => void;
  readonly find: (type: TokenType, tokenDigest: string) => VerifiedClaims | undefined;
};

/**
 * Tokens whose signature is ours, by type and digest, with their last second: the same bytes under the same keys are as good the
 * next time. Whether a token still counts is asked of its row at every request.
 */
function rememberVerified(): Verified {
  // Apart, so that tokens that are used once do not push those out that come with every request.
  const [bearers, others] = [new Map<string, Remembered>(), new Map<string, Remembered>()];
  const mapOf = (type: TokenType) => (type === 'bearer' ? bearers : others);
  return {
    add: (type, claims, expSeconds) => {
      const map = mapOf(type);
      const [oldest] = map.keys();
      if (map.size >= VERIFIED_MAX && oldest !== undefined) map.delete(oldest);
      map.set(claims.tokenDigest, { type, claims, expSeconds });
    },
    find: (type, tokenDigest) => {
      const known = mapOf(type).get(tokenDigest);
      const counts = known?.type === type && known.expSeconds + CLOCK_SKEW_MAX_SECONDS > Date.now() / 1_000;
      return counts ? known.claims : undefined;
    },
  };
}

type Remembered = { readonly type: TokenType; readonly claims: VerifiedClaims; readonly expSeconds: number };

function verifierOf({ verifying }: TokenKeySet, verified: Verified): TokenVerifier['verify'] {
  return async (type, token) => {
    if (token.length > TOKEN_LENGTH_MAX) return undefined;
    const tokenDigest = sha256Hex(token);
    const known = verified.find(type, tokenDigest);
    if (known) return known;
    try {
      const { payload } = await jwtVerify(token, ({ kid }) => keyOf(verifying, kid), {
        algorithms: [ALGORITHM],
        typ: TOKEN_TYPES[type],
        issuer: ISSUER,
        audience: AUDIENCE,
        clockTolerance: CLOCK_SKEW_MAX_SECONDS,
        requiredClaims: ['jti', 'sub', 'iat', 'exp', METADATA_CLAIM],
      });
      const claims = claimsOf(payload, tokenDigest);
      if (claims && payload.exp !== undefined) verified.add(type, claims, payload.exp);
      return claims;
    } catch {
      // Which check failed is nobody's business outside.
      return undefined;
    }
  };
}

/** One of our keys by its id, and never one that the token brings along. */
function keyOf(verifying: TokenKeySet['verifying'], kid: string | undefined) {
  const key = kid === undefined ? undefined : verifying.get(kid);
  if (!key) throw new Error('no such key');
  return key;
}

function claimsOf({ jti, sub, iat, [METADATA_CLAIM]: metadata }: JWTPayload, tokenDigest: string): VerifiedClaims | undefined {
  if (typeof metadata !== 'object' || metadata === null || !('orgId' in metadata)) return undefined;
  const { orgId } = metadata;
  if (jti === undefined || sub === undefined || iat === undefined || typeof orgId !== 'string') return undefined;
  if (iat > Date.now() / 1_000 + CLOCK_SKEW_MAX_SECONDS) return undefined;
  return { id: jti, userId: sub, orgId, tokenDigest };
}
