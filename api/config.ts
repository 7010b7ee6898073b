import { z } from 'zod';
import { NetworkSettingsText } from '../chains/network-settings';
import { AllowedRpcUrls, MAINNET_RULE, networkOf } from '../chains/networks';
import { NETWORK_NAMES } from '../domain/networks';
import { rateTable } from '../domain/rate-limits';
import { DatabaseUrl, DataKek, HttpUrl, JsonText, LogLevel, NodeEnv, Port, readConfig } from '../platform/config';
import { MetricsEnv } from '../platform/metrics-server';
import { TEMPORAL_TLS_RULE, type TemporalConfig, TemporalEnv, temporalConfigOf } from '../platform/temporal-config';
import { readTokenKeys } from '../platform/token-key-set';
import { TracingEnv } from '../platform/tracing';
import { networksOf } from './http/client-address';

const Hosts = z
  .string()
  .default('127.0.0.1,::1')
  .transform((text) => text.split(',').map((host) => host.trim()))
  .pipe(z.array(z.string().min(1)).min(1));

const Origin = z
  .url({ protocol: /^https?$/ })
  .refine((text) => new URL(text).origin === text, 'must be an origin without a path');

const Origins = z
  .string()
  .transform((text) => text.split(',').map((origin) => origin.trim()))
  .pipe(z.array(Origin).min(1))
  .optional();

const InternalProviders = z
  .string()
  .default('')
  .transform((text) => text.split(',').flatMap((origin) => origin.trim() || []))
  .pipe(z.array(Origin));

const TokenKey = z.string().superRefine((pem, faults) => {
  try {
    if (readTokenKeys(pem).signing) return;
  } catch {
    // The generic message below replaces the error's own message, which could contain a part of the key.
  }
  faults.addIssue({
    code: 'custom',
    message: 'must be an Ed25519 private key as PKCS#8 PEM, optionally followed by earlier keys',
  });
});

const Proxies = z
  .string()
  .default('')
  .transform((text, ctx) => {
    try {
      return networksOf(text.split(',').flatMap((one) => one.trim() || []));
    } catch {
      ctx.addIssue({ code: 'custom', message: 'must be addresses and networks (10.0.0.0/8), separated by commas' });
      return z.NEVER;
    }
  });

const SigningOnly = z
  .string()
  .default('')
  .transform((text) => text.split(',').flatMap((name) => name.trim() || []))
  .pipe(
    z.array(z.enum(NETWORK_NAMES).refine((name) => !networkOf(name).isMainnet, 'must not name a mainnet: a mainnet needs nodes')),
  );

const Requests = z.number().int().min(1).optional();
const ClassLimits = z.strictObject({ address: Requests, user: Requests, token: Requests, named: Requests }).optional();

const RateLimits = JsonText.pipe(
  z
    .strictObject({
      scale: z.number().positive().max(1_000_000).optional(),
      Read: ClassLimits,
      Write: ClassLimits,
      Signing: ClassLimits,
      SignIn: ClassLimits,
      Mail: ClassLimits,
    })
    .transform(rateTable),
);

export const ApiEnv = z
  .object({
    PORT: Port.default(3000).describe('Port of the API.'),
    HOSTS: Hosts.meta({ form: 'addresses, separated by commas', description: 'Addresses on which the API listens.' }),
    RP_ID: z.string().min(1).optional().meta({
      form: 'domain',
      description: 'The only domain under which passkeys work; unless set, the domain of `PUBLIC_URL`.',
    }),
    RP_NAME: z.string().min(1).default('Strongroom').describe('Name under which passkeys are shown.'),
    ORIGINS: Origins.meta({
      form: 'origins, separated by commas',
      description: 'Pages that may call the API and use passkeys; unless set, the origin of `PUBLIC_URL`.',
    }),
    INTERNAL_IDENTITY_PROVIDERS: InternalProviders.meta({
      form: 'origins, separated by commas',
      description:
        'Identity providers that may have private addresses; all others must have public addresses. In production all need https.',
    }),
    PUBLIC_URL: HttpUrl.optional().describe(
      'Address that callers use; the API document and the links of errors contain it, and passkeys belong to its domain.',
    ),
    TRUSTED_PROXIES: Proxies.meta({
      form: 'addresses and networks, separated by commas',
      description: 'Proxies whose header `X-Forwarded-For` the service trusts, such as `10.0.0.0/8`.',
    }),
    RATE_LIMITS: RateLimits.describe(
      'Limits that replace those in [domain/rate-limits.ts](../domain/rate-limits.ts), such as `{"SignIn":{"address":500}}`; ' +
        '`"scale"` multiplies all limits.',
    ),
    DATABASE_URL: DatabaseUrl.describe('Connection of the role `strongroom_app`, which is subject to row-level security.'),
    DATABASE_POOL_MAX: z.coerce
      .number()
      .int()
      .min(1)
      .max(200)
      .default(10)
      .describe('Maximum number of connections in each of the two pools.'),
    TOKEN_KEY: TokenKey.meta({
      form: 'PKCS#8 PEM',
      secret: true,
      description:
        'Ed25519 private key that signs tokens. Earlier keys or their public halves may follow; these only verify tokens.',
    }),
    DATA_KEK: DataKek,
    NETWORK_RPC_URLS: AllowedRpcUrls,
    NETWORK_SETTINGS: NetworkSettingsText,
    SIGN_WITHOUT_NODES: SigningOnly.meta({
      form: 'networks, separated by commas',
      description: 'Networks for which keys may sign without a configured node.',
    }),
    LOG_LEVEL: LogLevel,
    NODE_ENV: NodeEnv,
    ...MetricsEnv,
    ...TemporalEnv,
    ...TracingEnv,
  })
  .refine(TEMPORAL_TLS_RULE.holds, TEMPORAL_TLS_RULE.fault)
  .refine(MAINNET_RULE.holds, MAINNET_RULE.fault)
  .refine(
    ({ NODE_ENV, INTERNAL_IDENTITY_PROVIDERS }) =>
      NODE_ENV !== 'production' || INTERNAL_IDENTITY_PROVIDERS.every((origin) => origin.startsWith('https:')),
    { path: ['INTERNAL_IDENTITY_PROVIDERS'], message: 'must be https in production' },
  );

type Pages = { readonly RP_ID: string; readonly ORIGINS: readonly string[] };
export type ApiConfig = Omit<z.output<typeof ApiEnv>, keyof Pages> & Pages & { readonly temporal: TemporalConfig };

const LOOPBACK = /^(127(\.\d+){3}|\[::1\])$/;

/**
 * The domain of passkeys, and the address of the pages that use passkeys. A passkey belongs to a host name and not to an IP
 * address, so a loopback address becomes `localhost`.
 */
function pagesOf(publicUrl: string): Pages {
  const url = new URL(publicUrl);
  if (LOOPBACK.test(url.hostname)) url.hostname = 'localhost';
  return { RP_ID: url.hostname, ORIGINS: [url.origin] };
}

/** Throws a `ConfigError` that lists the faults, one per line. */
export function apiConfig(): ApiConfig {
  const values = readConfig(ApiEnv, process.env);
  const pages = pagesOf(values.PUBLIC_URL ?? 'http://localhost:3000');
  const { RP_ID = pages.RP_ID, ORIGINS = pages.ORIGINS } = values;
  return { ...values, RP_ID, ORIGINS, temporal: temporalConfigOf(values, process.env) };
}
