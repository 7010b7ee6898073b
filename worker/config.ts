import { z } from 'zod';
import { NetworkSettingsText } from '../chains/network-settings';
import { AllowedRpcUrls } from '../chains/networks';
import { isId } from '../domain/ids';
import { FILLED_NONCE_LAPSES_AFTER_MS } from '../domain/signatures';
import { ConfigError, DatabaseUrl, Flag, JsonText, Key32, LogLevel, NodeEnv, Port, readConfig } from '../platform/config';
import { MailFrom, SmtpUrl } from '../platform/mailer';
import { MetricsEnv } from '../platform/metrics-server';
import { SIGNER_PLACE_FAULT, SignerAddress, type SignerPlace, SignerTlsEnv, signerPlaceOf } from '../platform/signer-place';
import { TEMPORAL_TLS_RULE, type TemporalConfig, TemporalEnv, temporalConfigOf } from '../platform/temporal-config';
import { readTokenKeys } from '../platform/token-key-set';
import { TracingEnv } from '../platform/tracing';
import { VendorUrls } from '../vendors/call';
import { PRICE_ADDRESS_RULE, PRICE_TABLE_RULE, PriceEnv } from '../vendors/prices/configured';

const PublicKeys = z.string().refine((pems) => {
  try {
    return readTokenKeys(pems).verifying.size > 0 && !pems.includes('PRIVATE KEY');
  } catch {
    return false;
  }
}, 'must be Ed25519 public keys as PEM, and no private key');

const isSecure = (url: string): boolean => url.startsWith('https:');
const LOOPBACK = /^(127\.\d+\.\d+\.\d+|::1|localhost)$/;

type Codec = {
  readonly NODE_ENV: string;
  readonly CODEC_PORT: number;
  readonly CODEC_HOST: string;
  readonly CODEC_URL?: string | undefined;
  readonly CODEC_ORG_ID?: string | undefined;
  readonly CODEC_TOKEN_KEYS?: string | undefined;
};

/** Without a login the endpoint decrypts for everyone who reaches it: that is for loopback in a local trial. */
const CODEC_RULE = {
  holds: ({ NODE_ENV, CODEC_PORT, CODEC_HOST, CODEC_URL, CODEC_ORG_ID, CODEC_TOKEN_KEYS }: Codec): boolean => {
    const given = [CODEC_URL, CODEC_ORG_ID, CODEC_TOKEN_KEYS].filter((value) => value !== undefined).length;
    if (CODEC_PORT === 0) return true;
    if (given === 0) return NODE_ENV !== 'production' && LOOPBACK.test(CODEC_HOST);
    // Tokens travel to it, so it must use TLS beyond this machine.
    return given === 3 && (CODEC_URL?.startsWith('https:') === true || LOOPBACK.test(new URL(CODEC_URL ?? '').hostname));
  },
  fault: {
    path: ['CODEC_PORT'],
    message: 'needs CODEC_URL (https), CODEC_ORG_ID and CODEC_TOKEN_KEYS, in production and on every address but loopback',
  },
};

const WorkerEnv = z
  .object({
    DATABASE_URL: DatabaseUrl,
    RELAY_DATABASE_URL: DatabaseUrl,
    DATABASE_POOL_MAX: z.coerce.number().int().min(2).max(200).default(16),
    DATA_KEK: Key32,
    NETWORK_RPC_URLS: AllowedRpcUrls,
    NETWORK_SETTINGS: NetworkSettingsText,
    SIGNER_SOCKET: z.string().min(1).optional(),
    /** Replaces it: unix:/path, or tls://host:port with the two variables that follow. */
    SIGNER_URL: SignerAddress.optional(),
    ...SignerTlsEnv,
    SIGNER_AUTH: Key32,
    SIGNER_TIMEOUT_MS: z.coerce.number().int().min(100).max(60_000).default(10_000),
    /** The codec endpoint for the Temporal UI; 0 leaves it off. */
    CODEC_PORT: Port.default(0),
    CODEC_HOST: z.string().min(1).default('127.0.0.1'),
    /** The address at which operators reach it. */
    CODEC_URL: z.url({ protocol: /^https?$/ }).optional(),
    /** The operators' own organisation: its people may look, with the permission for it. */
    CODEC_ORG_ID: z
      .string()
      .refine((text) => isId('organization', text), 'must be the id of an organisation')
      .optional(),
    /** The public halves of the API's token keys. */
    CODEC_TOKEN_KEYS: PublicKeys.optional(),
    TEMPORAL_UI_URL: z.url({ protocol: /^https?$/ }).optional(),
    HEALTH_PORT: Port.default(8235),
    HEALTH_HOST: z.string().min(1).default('127.0.0.1'),
    /** Local trials only: webhooks may go to loopback addresses and without TLS. */
    WEBHOOK_ALLOW_LOOPBACK: Flag.default(false),
    /** Without a server, mails wait until they are useless. */
    SMTP_URL: SmtpUrl.optional(),
    /** The sender of every mail, `Name <address>`. */
    MAIL_FROM: MailFrom.optional(),
    /** The address at which people find this service: mails name its sign-in page. */
    PUBLIC_URL: z.url({ protocol: /^https?$/ }).optional(),
    /** The addresses of vendors, by kind: `{"KytA":"https://…"}`. A vendor that is missing counts as one that cannot be asked. */
    VENDOR_URLS: JsonText.pipe(VendorUrls),
    ...PriceEnv,
    /** Workflows bundled at build time; without one the worker bundles them at start. */
    WORKFLOW_BUNDLE: z.string().optional(),
    WORKFLOWS_CACHED_MAX: z.coerce.number().int().min(10).max(10_000).default(400),
    /** How long an outbox row is kept after it was carried out; its key prevents a repetition for as long. */
    OUTBOX_RETENTION_DAYS: z.coerce.number().int().min(1).max(365).default(7),
    /** How long the holder of a signature has to send a transaction whose nonce the service chose. */
    FILLED_NONCE_LAPSES_AFTER_SECONDS: z.coerce
      .number()
      .int()
      .min(1)
      .max(604_800)
      .default(FILLED_NONCE_LAPSES_AFTER_MS / 1_000),
    LOG_LEVEL: LogLevel,
    NODE_ENV: NodeEnv,
    ...MetricsEnv,
    /** The port of Temporal's own metrics of this worker, on METRICS_HOST; 0 leaves them off. */
    SDK_METRICS_PORT: Port.default(0),
    ...TemporalEnv,
    ...TracingEnv,
  })
  .refine(TEMPORAL_TLS_RULE.holds, TEMPORAL_TLS_RULE.fault)
  .refine(CODEC_RULE.holds, CODEC_RULE.fault)
  .refine(PRICE_TABLE_RULE.holds, PRICE_TABLE_RULE.fault)
  .refine(PRICE_ADDRESS_RULE.holds, PRICE_ADDRESS_RULE.fault)
  .refine((values) => signerPlaceOf({ ...values, address: values.SIGNER_URL }) !== undefined, {
    path: ['SIGNER_SOCKET'],
    message: SIGNER_PLACE_FAULT,
    when: () => true,
  })
  .refine(({ SMTP_URL, MAIL_FROM }) => SMTP_URL === undefined || MAIL_FROM !== undefined, {
    path: ['MAIL_FROM'],
    message: 'is needed with SMTP_URL',
    when: () => true,
  })
  .refine(({ NODE_ENV, VENDOR_URLS }) => NODE_ENV !== 'production' || Object.values(VENDOR_URLS).every(isSecure), {
    path: ['VENDOR_URLS'],
    message: 'must be https addresses in production: credentials travel to them',
  })
  .refine(({ NODE_ENV, WEBHOOK_ALLOW_LOOPBACK }) => NODE_ENV !== 'production' || !WEBHOOK_ALLOW_LOOPBACK, {
    path: ['WEBHOOK_ALLOW_LOOPBACK'],
    message: 'must not be true in production: a webhook could then reach services inside the host',
    when: () => true,
  });

export type WorkerConfig = z.output<typeof WorkerEnv> & { readonly temporal: TemporalConfig; readonly signerPlace: SignerPlace };

/** Returns the configuration of the worker process; throws a `ConfigError` that lists every fault. */
export function workerConfig(): WorkerConfig {
  const values = readConfig(WorkerEnv, process.env);
  const signerPlace = signerPlaceOf({ ...values, address: values.SIGNER_URL });
  if (!signerPlace) throw new ConfigError(`SIGNER_SOCKET: ${SIGNER_PLACE_FAULT}`);
  return { ...values, signerPlace, temporal: temporalConfigOf(values, process.env) };
}
