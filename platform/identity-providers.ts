import { generateKeyPair } from 'node:crypto';
import { promisify } from 'node:util';
import { decodeJwt, jwtVerify } from 'jose';
import * as oidc from 'openid-client';
import { z } from 'zod';
import { createProviderDirectory, type OidcClient, ProviderUnavailableError, unavailable } from './provider-directory';

/** Every member except `redirectUri` is a secret of this sign-in. */
export type AuthorizationRequest = {
  readonly redirectUri: string;
  readonly state: string;
  readonly nonce: string;
  readonly codeVerifier: string;
};

export type AuthorizationAnswer = AuthorizationRequest & {
  readonly code: string;
  /** The issuer in the response (RFC 9207); undefined if the caller cannot pass the issuer on. */
  readonly iss: string | undefined;
};

/** `email` is set only if the provider has verified the email address. */
export type ProvidedIdentity = {
  readonly issuer: string;
  readonly subject: string;
  readonly email: string | undefined;
  readonly name: string | undefined;
};

export type VerifiedIdToken = ProvidedIdentity & { readonly dateExpires: Date };

export type IdentityProviders = {
  readonly refusal: (issuer: string) => string | undefined;
  /** The page where the person signs in. Throws `ProviderUnavailableError`. */
  readonly authorizationUrl: (client: OidcClient, request: AuthorizationRequest) => Promise<string>;
  /** Undefined if the provider refuses the code or sends an invalid id token. Throws `ProviderUnavailableError`. */
  readonly redeem: (client: OidcClient, answer: AuthorizationAnswer) => Promise<ProvidedIdentity | undefined>;
  /** Undefined for an invalid token, or for a token that `expected` excludes. Throws `ProviderUnavailableError`. */
  readonly verify: (issuer: string, idToken: string, expected: ExpectedIdToken) => Promise<VerifiedIdToken | undefined>;
  /** The unverified issuer of an id token, which only serves to choose one of the trusted issuers. */
  readonly claimedIssuer: (idToken: string) => string | undefined;
  /** Does as much work as `verify`, so that the response time does not reveal which issuers exist. */
  readonly verifyDecoy: (idToken: string) => Promise<undefined>;
};

export type ExpectedIdToken = {
  readonly audiences: readonly string[];
  readonly nonce?: string;
  /** A token that names an authorised party (`azp`) must name this party. */
  readonly authorizedParty?: string;
};

/** Only asymmetric algorithms. With HS256, the client's secret or the text of a public key would pass as a key. */
const ALGORITHMS = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519'];
const SCOPE = 'openid email profile';
const CLOCK_SKEW_SECONDS = 30;
/** Applies even to a token that has not expired, because an hours-old token does not prove a current sign-in. */
const ID_TOKEN_AGE_MAX_SECONDS = 3_600;
const ID_TOKEN_LENGTH_MAX = 16_384;

const Claims = z.object({
  iss: z.string(),
  sub: z.string().min(1).max(255),
  aud: z.union([z.string(), z.array(z.string())]).transform((aud) => [aud].flat()),
  azp: z.string().optional(),
  nonce: z.string().optional(),
  exp: z.number(),
  ...profile(),
});
const Profile = z.object(profile());

function profile() {
  return {
    email: z.string().optional(),
    // Some providers send booleans as text.
    email_verified: z.union([z.boolean(), z.literal('true'), z.literal('false')]).optional(),
    name: z.string().optional(),
  };
}

export function createIdentityProviders(internalOrigins: readonly string[]): IdentityProviders {
  const { refusal, knownOf, configure } = createProviderDirectory(internalOrigins);

  const verify: IdentityProviders['verify'] = async (issuer, idToken, { audiences, nonce, authorizedParty }) => {
    if (idToken.length > ID_TOKEN_LENGTH_MAX) return undefined;
    const { keys } = await knownOf(issuer);
    let claims: z.output<typeof Claims>;
    try {
      const { payload } = await jwtVerify(idToken, keys, {
        issuer,
        audience: [...audiences],
        algorithms: ALGORITHMS,
        clockTolerance: CLOCK_SKEW_SECONDS,
        maxTokenAge: ID_TOKEN_AGE_MAX_SECONDS,
        requiredClaims: ['iss', 'sub', 'aud', 'exp', 'iat'],
      });
      claims = Claims.parse(payload);
    } catch (error) {
      if (saysNothing(error)) throw unavailable(error);
      return undefined;
    }
    // An unknown audience means that the token was also issued for another party (OpenID Connect Core 3.1.3.7).
    if (!claims.aud.every((audience) => audiences.includes(audience))) return undefined;
    if (nonce !== undefined && claims.nonce !== nonce) return undefined;
    if (authorizedParty !== undefined && (claims.azp ?? authorizedParty) !== authorizedParty) return undefined;
    return { ...identityOf(issuer, claims.sub, claims), dateExpires: new Date(claims.exp * 1_000) };
  };

  return {
    refusal,
    verify,
    claimedIssuer,
    verifyDecoy: async (idToken) =>
      jwtVerify(idToken, (await decoyPair).publicKey, { algorithms: ALGORITHMS }).then(ignored, ignored),
    authorizationUrl: async (client, { redirectUri, state, nonce, codeVerifier }) => {
      const config = await configure(client);
      const parameters = {
        redirect_uri: redirectUri,
        scope: SCOPE,
        state,
        nonce,
        code_challenge: await oidc.calculatePKCECodeChallenge(codeVerifier),
        code_challenge_method: 'S256',
      };
      return oidc.buildAuthorizationUrl(config, parameters).href;
    },
    redeem: async (client, { code, iss, redirectUri, state, nonce, codeVerifier }) => {
      const config = await configure(client);
      const arrived = new URL(redirectUri);
      for (const [name, value] of Object.entries({ code, state, iss: iss ?? client.issuer }))
        arrived.searchParams.set(name, value);
      const checks = { pkceCodeVerifier: codeVerifier, expectedState: state, expectedNonce: nonce, idTokenExpected: true };
      try {
        const tokens = await oidc.authorizationCodeGrant(config, arrived, checks);
        const expected = { audiences: [client.clientId], nonce, authorizedParty: client.clientId };
        const identity = await verify(client.issuer, tokens.id_token ?? '', expected);
        if (!identity || identity.email !== undefined || config.serverMetadata().userinfo_endpoint === undefined) return identity;
        // In the code flow many providers return the email address only from the userinfo endpoint.
        const info = await oidc.fetchUserInfo(config, tokens.access_token, identity.subject);
        return identityOf(client.issuer, identity.subject, Profile.parse(info));
      } catch (error) {
        if (saysNothing(error)) throw unavailable(error);
        return undefined;
      }
    },
  };
}

function claimedIssuer(idToken: string): string | undefined {
  try {
    return decodeJwt(idToken).iss;
  } catch {
    return undefined;
  }
}

/** Generated asynchronously, because synchronous generation would block the start for up to a fifth of a second. */
const decoyPair = promisify(generateKeyPair)('rsa', { modulusLength: 2_048 });
const ignored = () => undefined;

function identityOf(
  issuer: string,
  subject: string,
  { email, email_verified, name }: z.output<typeof Profile>,
): ProvidedIdentity {
  const verified = email_verified === true || email_verified === 'true';
  return { issuer, subject, email: verified ? email : undefined, name };
}

const CAUSES_MAX = 5;
/** Error codes of a provider that is late or violates the protocol: an illegal status, no JSON, or invalid keys. */
const SAY_NOTHING = [
  'OAUTH_RESPONSE_IS_NOT_CONFORM',
  'OAUTH_RESPONSE_IS_NOT_JSON',
  'OAUTH_PARSE_ERROR',
  'ERR_JOSE_GENERIC',
  'ERR_JWKS_INVALID',
  'ERR_JWKS_TIMEOUT',
];

/**
 * True for a failure that reveals nothing about the person: the provider does not reply properly, or refuses the service itself.
 */
function saysNothing(error: unknown): boolean {
  let current = error;
  for (let depth = 0; depth < CAUSES_MAX && current instanceof Error; depth += 1) {
    if (current instanceof ProviderUnavailableError) return true;
    if (current instanceof oidc.ResponseBodyError) return current.error !== 'invalid_grant';
    if ('code' in current && SAY_NOTHING.some((code) => code === (current as { code?: unknown }).code)) return true;
    current = current.cause;
  }
  return false;
}
