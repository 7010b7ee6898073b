import { createRemoteJWKSet, type JWTVerifyGetKey, customFetch as jwksFetch } from 'jose';
import * as oidc from 'openid-client';
import { type Bounds, requestGuarded, targetRefusal } from './guarded-request';

export type OidcClient = { readonly issuer: string; readonly clientId: string; readonly clientSecret: string | undefined };

/** The provider is unreachable or sends an illegal response. Neither fault reveals anything about the person. */
export class ProviderUnavailableError extends Error {
  override readonly name = 'ProviderUnavailableError';
}

export const unavailable = (error: unknown): ProviderUnavailableError =>
  error instanceof ProviderUnavailableError
    ? error
    : new ProviderUnavailableError('the provider is unreachable', { cause: error });

const TIMEOUT_MS = 5_000;
const ANSWER_BYTES_MAX = 256 * 1_024;
const METADATA_FRESH_MS = 600_000;
const ISSUERS_MAX = 1_000;
/** The keys of a provider are fetched again at most this often, however many tokens name unknown keys. */
const KEYS_COOLDOWN_MS = 5_000;

type Known = { readonly metadata: oidc.ServerMetadata; readonly keys: JWTVerifyGetKey };

const insecure = (issuer: string) => (issuer.startsWith('http:') ? [oidc.allowInsecureRequests] : []);

/** The authentication at the token endpoint. Without a secret, only the code verifier (PKCE) protects the exchange. */
function authenticationOf({ token_endpoint_auth_methods_supported: methods }: oidc.ServerMetadata, secret: string | undefined) {
  if (secret === undefined) return oidc.None();
  return methods === undefined || methods.includes('client_secret_basic')
    ? oidc.ClientSecretBasic(secret)
    : oidc.ClientSecretPost(secret);
}

/** Caches metadata for ten minutes, and fetches keys again when a token names an unknown key. */
export function createProviderDirectory(internalOrigins: readonly string[]) {
  const bounds: Bounds = { internalOrigins, timeoutMs: TIMEOUT_MS, answerBytesMax: ANSWER_BYTES_MAX };
  const known = new Map<string, { readonly asked: Promise<Known>; readonly untilMs: number }>();

  const fetchJson: oidc.CustomFetch = async (url, { method, headers, body }) => {
    try {
      return await requestGuarded({ url, method, headers, body: body == null ? undefined : String(body) }, bounds);
    } catch (error) {
      throw unavailable(error);
    }
  };

  const refusal = (issuer: string): string | undefined => {
    const url = URL.canParse(issuer) ? new URL(issuer) : undefined;
    if (!url) return 'must be an address';
    if (url.search !== '' || url.hash !== '') return 'must have neither query nor fragment';
    return targetRefusal(url, bounds);
  };

  const discover = async (issuer: string): Promise<Known> => {
    if (refusal(issuer) !== undefined) throw new ProviderUnavailableError('this issuer may not be called');
    const options = { [oidc.customFetch]: fetchJson, execute: insecure(issuer) };
    const metadata = (await oidc.discovery(new URL(issuer), 'any', undefined, oidc.None(), options)).serverMetadata();
    // The comparison is exact, like the comparison with the issuer in an id token.
    if (metadata.issuer !== issuer) throw new ProviderUnavailableError('the provider reports another issuer');
    // The browser is sent to the authorization endpoint. A `javascript:` URL would be valid too, so the protocol is checked.
    const { protocol } = new URL(metadata.authorization_endpoint ?? '');
    if (protocol !== 'https:' && protocol !== new URL(issuer).protocol)
      throw new ProviderUnavailableError('the provider names no sign-in page');
    if (metadata.jwks_uri === undefined) throw new ProviderUnavailableError('the provider names no keys');
    const keys = createRemoteJWKSet(new URL(metadata.jwks_uri), {
      timeoutDuration: TIMEOUT_MS,
      cooldownDuration: KEYS_COOLDOWN_MS,
      [jwksFetch]: (url, { headers }) =>
        fetchJson(url, { method: 'GET', headers: Object.fromEntries(headers), body: null, redirect: 'manual' }),
    });
    return { metadata, keys };
  };

  const knownOf = (issuer: string): Promise<Known> => {
    const earlier = known.get(issuer);
    if (earlier && earlier.untilMs > Date.now()) return earlier.asked;
    const [oldest] = known.keys();
    if (known.size >= ISSUERS_MAX && oldest !== undefined) known.delete(oldest);
    const asked = discover(issuer).catch((error: unknown) => {
      if (known.get(issuer)?.asked === asked) known.delete(issuer);
      throw unavailable(error);
    });
    known.set(issuer, { asked, untilMs: Date.now() + METADATA_FRESH_MS });
    return asked;
  };

  const configure = async ({ issuer, clientId, clientSecret }: OidcClient): Promise<oidc.Configuration> => {
    const { metadata } = await knownOf(issuer);
    const config = new oidc.Configuration(metadata, clientId, undefined, authenticationOf(metadata, clientSecret));
    config[oidc.customFetch] = fetchJson;
    for (const allow of insecure(issuer)) allow(config);
    return config;
  };

  return { refusal, knownOf, configure };
}
