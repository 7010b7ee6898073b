import { type JWTPayload, jwtVerify, SignJWT } from 'jose';
import { sha256Hex } from './digests';
import { type PublicJwk, readTokenKeys, type TokenKeySet } from './token-key-set';

/**
 * Each purpose has its own `typ` header (RFC 8725 §3.11), so that a token of one purpose is never accepted for another purpose.
 */
export const TOKEN_TYPES = {
  bearer: 'at+jwt',
  challenge: 'challenge+jwt',
  userAction: 'useraction+jwt',
  /** A token that names the challenge of a login or of a new credential. */
  ceremony: 'ceremony+jwt',
  /** The bearer token of a registration or recovery under way. */
  temporary: 'temporary+jwt',
} as const;

export type TokenType = keyof typeof TOKEN_TYPES;

/**
 * `id` is the id of the token's row. `userId` is the id of the token's owner, or repeats `id` in the token of a login
 * challenge.
 */
export type TokenClaims = { readonly id: string; readonly userId: string; readonly orgId: string };
/** `tokenDigest` is the SHA-256 of the token in hex, which the token's row stores. */
export type VerifiedClaims = TokenClaims & { readonly tokenDigest: string };

export type TokenVerifier = {
  /** Undefined unless one of our keys signed a token of this type and the token has not expired. */
  readonly verify: (type: TokenType, token: string) => Promise<VerifiedClaims | undefined>;
};

export type TokenKeys = TokenVerifier & {
  readonly sign: (type: TokenType, claims: TokenClaims, dateExpires: Date) => Promise<string>;
  readonly jwks: { readonly keys: readonly PublicJwk[] };
};

/**
 * The maximum difference between the clocks of two processes, or of a process and the database. The verifier tolerates this
 * difference both when a token is issued and when it expires. The final decision compares the token's row with the clock of the
 * database.
 */
export const CLOCK_SKEW_MAX_SECONDS = 30;

const ISSUER = 'strongroom';
const AUDIENCE = 'strongroom-api';
const ALGORITHM = 'EdDSA';
/** The claim in which published clients look for the organisation. */
const METADATA_CLAIM = 'https://custom/app_metadata';
const TOKEN_LENGTH_MAX = 4_096;
const VERIFIED_MAX = 10_000;

/**
 * Signs with the first of these Ed25519 keys and verifies with all keys. `pems` contains concatenated keys in PEM. Throws for
 * any other text, and if the first key is a public key.
 */
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
      // The caller soon sends the new token back, often to this process. The cache then saves the verification.
      const expSeconds = Math.floor(dateExpires.getTime() / 1_000);
      verified.add(type, { id, userId, orgId, tokenDigest: sha256Hex(token) }, expSeconds);
      return token;
    },
  };
}

/** For a program that must not sign tokens. Public keys are enough for verification. */
export const createTokenVerifier = (pems: string): TokenVerifier => ({
  verify: verifierOf(readTokenKeys(pems), rememberVerified()),
});

type Verified = {
  readonly add: (type: TokenType, claims: VerifiedClaims, expSeconds: number) => void;
  readonly find: (type: TokenType, tokenDigest: string) => VerifiedClaims | undefined;
};

/**
 * A verified signature stays valid under the same keys, so only the expiry is checked again. Every request still checks the
 * token's row.
 */
function rememberVerified(): Verified {
  // Bearer tokens are kept separately, so that single-use tokens do not evict the tokens that come with every request.
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
      // Callers do not learn which check failed.
      return undefined;
    }
  };
}

/** Never uses a key that the token itself supplies. */
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
