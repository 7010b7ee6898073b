import { createPrivateKey } from 'node:crypto';
import { z } from 'zod';
import { AllowedRpcUrls } from '../chains/networks';
import { DatabaseUrl, Key32, LogLevel, NodeEnv, Port, readConfig } from '../platform/config';
import { DRILL_RULE, DrillEnv } from '../platform/drill-gate';
import { MetricsEnv } from '../platform/metrics-server';
import { TEMPORAL_TLS_RULE, type TemporalConfig, TemporalEnv, temporalConfigOf } from '../platform/temporal-config';
import { TracingEnv } from '../platform/tracing';

const Hosts = z
  .string()
  .default('127.0.0.1,::1')
  .transform((text) => text.split(',').map((host) => host.trim()))
  .pipe(z.array(z.string().min(1)).min(1));

const Origins = z
  .string()
  .default('http://localhost:3000')
  .transform((text) => text.split(',').map((origin) => origin.trim()))
  .pipe(
    z
      .array(z.url({ protocol: /^https?$/ }).refine((text) => new URL(text).origin === text, 'must be an origin without a path'))
      .min(1),
  );

const TokenKey = z.string().superRefine((pem, faults) => {
  try {
    if (createPrivateKey(pem).asymmetricKeyType === 'ed25519') return;
  } catch {
    // Falls through: the message must not repeat a word of the key.
  }
  faults.addIssue({ code: 'custom', message: 'must be an Ed25519 private key as PKCS#8 PEM' });
});

const ApiEnv = z
  .object({
    PORT: Port.default(3000),
    /** Addresses to listen on, separated by commas. */
    HOSTS: Hosts,
    /** The domain that passkeys belong to; a passkey made under one domain is of no use under another. */
    RP_ID: z.string().min(1).default('localhost'),
    RP_NAME: z.string().min(1).default('Strongroom'),
    /** Pages that may use passkeys, separated by commas. */
    ORIGINS: Origins,
    PUBLIC_URL: z.url({ protocol: /^https?$/ }).optional(),
    DATABASE_URL: DatabaseUrl,
    DATABASE_POOL_MAX: z.coerce.number().int().min(1).max(200).default(10),
    TOKEN_KEY: TokenKey,
    DATA_KEK: Key32,
    NETWORK_RPC_URLS: AllowedRpcUrls,
    LOG_LEVEL: LogLevel,
    NODE_ENV: NodeEnv,
    ...MetricsEnv,
    ...TemporalEnv,
    ...TracingEnv,
    ...DrillEnv,
  })
  .refine(TEMPORAL_TLS_RULE.holds, TEMPORAL_TLS_RULE.fault)
  .refine(DRILL_RULE.holds, DRILL_RULE.fault);

export type ApiConfig = z.output<typeof ApiEnv> & { readonly temporal: TemporalConfig };

/** The configuration of the API process, or a `ConfigError` that lists every fault. */
export function apiConfig(): ApiConfig {
  const values = readConfig(ApiEnv, process.env);
  return { ...values, temporal: temporalConfigOf(values, process.env) };
}
