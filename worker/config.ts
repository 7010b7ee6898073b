import { z } from 'zod';
import { NetworkSettingsText } from '../chains/network-settings';
import { AllowedRpcUrls, MAINNET_RULE } from '../chains/networks';
import { isId } from '../domain/ids';
import { FILLED_NONCE_LAPSES_AFTER_MS } from '../domain/signatures';
import { WitnessUrl } from '../platform/checkpoint-witness';
import {
  ConfigError,
  DatabaseUrl,
  DataKek,
  Flag,
  HttpUrl,
  JsonText,
  Key32,
  LogLevel,
  NodeEnv,
  Port,
  readConfig,
} from '../platform/config';
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

/** Without a login the endpoint decrypts for every caller. Only a local trial on loopback may leave the login out. */
const CODEC_RULE = {
  holds: ({ NODE_ENV, CODEC_PORT, CODEC_HOST, CODEC_URL, CODEC_ORG_ID, CODEC_TOKEN_KEYS }: Codec): boolean => {
    const given = [CODEC_URL, CODEC_ORG_ID, CODEC_TOKEN_KEYS].filter((value) => value !== undefined).length;
    if (CODEC_PORT === 0) return true;
    if (given === 0) return NODE_ENV !== 'production' && LOOPBACK.test(CODEC_HOST);
    // Tokens are sent to the endpoint, so other machines must reach the endpoint over TLS.
    return given === 3 && (CODEC_URL?.startsWith('https:') === true || LOOPBACK.test(new URL(CODEC_URL ?? '').hostname));
  },
  fault: {
    path: ['CODEC_PORT'],
    message: 'needs CODEC_URL (https), CODEC_ORG_ID and CODEC_TOKEN_KEYS, in production and on every address but loopback',
  },
};

export const WorkerEnv = z
  .object({
    DATABASE_URL: DatabaseUrl.describe('Connection of the role `strongroom_worker`, which is subject to row-level security.'),
    RELAY_DATABASE_URL: DatabaseUrl.describe('Connection of the role that reads the routing columns of all organisations.'),
    DATABASE_POOL_MAX: z.coerce
      .number()
      .int()
      .min(2)
      .max(200)
      .default(16)
      .describe('Maximum connections of each of the two pools.'),
    DATA_KEK: DataKek,
    NETWORK_RPC_URLS: AllowedRpcUrls,
    NETWORK_SETTINGS: NetworkSettingsText,
    SIGNER_SOCKET: z.string().min(1).optional().meta({ form: 'path', description: 'Unix socket of the signer.' }),
    SIGNER_URL: SignerAddress.optional().describe('Address of the signer, in place of `SIGNER_SOCKET`.'),
    ...SignerTlsEnv,
    SIGNER_AUTH: Key32.describe('Key that authenticates each frame between worker and signer.'),
    SIGNER_TIMEOUT_MS: z.coerce
      .number()
      .int()
      .min(100)
      .max(60_000)
      .default(10_000)
      .describe('Time within which the signer must reply.'),
    CODEC_PORT: Port.default(0).describe(
      'Port of the endpoint that decodes payloads for the Temporal UI ([operations.md](operations.md#reading-payloads)); 0 turns the endpoint off.',
    ),
    CODEC_HOST: z.string().min(1).default('127.0.0.1').describe('Address on which the decoding endpoint listens.'),
    CODEC_URL: HttpUrl.optional().describe(
      'Address at which operators reach the decoding endpoint, needed in production and if the endpoint is not on loopback.',
    ),
    CODEC_ORG_ID: z
      .string()
      .refine((text) => isId('organization', text), 'must be the id of an organisation')
      .optional()
      .meta({
        form: '`or-…`',
        description: 'Organisation of the operators, whose members may decode with the permission `Temporal:Payloads:Read`.',
      }),
    CODEC_TOKEN_KEYS: PublicKeys.optional().meta({
      form: 'PEM',
      description: 'Public halves of `TOKEN_KEY` of the API, with which the decoding endpoint verifies tokens.',
    }),
    TEMPORAL_UI_URL: HttpUrl.optional().describe(
      'Address of the Temporal UI, the only page that may call the decoding endpoint.',
    ),
    HEALTH_PORT: Port.default(8235).describe('Port of `GET /health/live` and `GET /health/ready` of the worker.'),
    HEALTH_HOST: z.string().min(1).default('127.0.0.1').describe('Address on which the worker serves its health checks.'),
    WEBHOOK_ALLOW_LOOPBACK: Flag.default(false).describe(
      'Lets webhooks of a local trial use loopback addresses and plain http; refused in production.',
    ),
    SMTP_URL: SmtpUrl.optional().describe(
      'Mail server; without one, mails wait; in production, a connection that leaves the host is encrypted.',
    ),
    MAIL_FROM: MailFrom.optional().describe('Sender of every mail, needed with `SMTP_URL`.'),
    PUBLIC_URL: HttpUrl.optional().describe(
      'Address at which people find the service; mails contain the address of its sign-in page.',
    ),
    VENDOR_URLS: JsonText.pipe(VendorUrls).describe(
      'Addresses of vendors, as `{"KytA":"https://…","KytB":"https://…","TravelRule":"https://…"}`; policies that need a missing vendor fail closed ([screening.md](screening.md), [travel-rule.md](travel-rule.md)).',
    ),
    ...PriceEnv,
    WORKFLOW_BUNDLE: z.string().optional().meta({
      form: 'path',
      description:
        'File of the workflows that were bundled at build time; without the file the worker bundles them at its start.',
    }),
    WORKFLOWS_CACHED_MAX: z.coerce
      .number()
      .int()
      .min(10)
      .max(10_000)
      .default(400)
      .describe('Maximum number of workflows that are kept in memory.'),
    OUTBOX_RETENTION_DAYS: z.coerce
      .number()
      .int()
      .min(1)
      .max(365)
      .default(7)
      .describe(
        'Time for which an outbox row is kept after its dispatch; during this time its unique key prevents a duplicate row.',
      ),
    FILLED_NONCE_LAPSES_AFTER_SECONDS: z.coerce
      .number()
      .int()
      .min(1)
      .max(604_800)
      .default(FILLED_NONCE_LAPSES_AFTER_MS / 1_000)
      .describe(
        'Time in which the holder of a signature has to send a transaction whose nonce the service chose ([signatures.md](signatures.md#filled-in)).',
      ),
    CHECKPOINT_WITNESS: WitnessUrl.optional().meta({
      form: '`file:///folder/` or https address',
      description:
        'Place outside the service that receives every checkpoint of feeds and audit logs, so that a rebuilt or shortened log is found ([audit.md](audit.md#witness)); unless set, checkpoints are kept only in the database.',
    }),
    LOG_LEVEL: LogLevel,
    NODE_ENV: NodeEnv,
    ...MetricsEnv,
    SDK_METRICS_PORT: Port.default(0).describe(
      "Port of Temporal's own metrics of the worker, at `METRICS_HOST`; 0 turns these metrics off.",
    ),
    ...TemporalEnv,
    ...TracingEnv,
  })
  .refine(TEMPORAL_TLS_RULE.holds, TEMPORAL_TLS_RULE.fault)
  .refine(MAINNET_RULE.holds, MAINNET_RULE.fault)
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
  .refine(({ NODE_ENV, CHECKPOINT_WITNESS }) => NODE_ENV !== 'production' || CHECKPOINT_WITNESS?.startsWith('http:') !== true, {
    path: ['CHECKPOINT_WITNESS'],
    message: 'must be a file or https address in production: another party could acknowledge in place of the witness',
    when: () => true,
  })
  .refine(({ NODE_ENV, VENDOR_URLS }) => NODE_ENV !== 'production' || Object.values(VENDOR_URLS).every(isSecure), {
    path: ['VENDOR_URLS'],
    message: 'must be https addresses in production: credentials are sent to them',
  })
  .refine(({ NODE_ENV, WEBHOOK_ALLOW_LOOPBACK }) => NODE_ENV !== 'production' || !WEBHOOK_ALLOW_LOOPBACK, {
    path: ['WEBHOOK_ALLOW_LOOPBACK'],
    message: 'must not be true in production: a webhook could then reach services inside the host',
    when: () => true,
  });

export type WorkerConfig = z.output<typeof WorkerEnv> & { readonly temporal: TemporalConfig; readonly signerPlace: SignerPlace };

/** Throws a `ConfigError` that lists every fault. */
export function workerConfig(): WorkerConfig {
  const values = readConfig(WorkerEnv, process.env);
  const signerPlace = signerPlaceOf({ ...values, address: values.SIGNER_URL });
  if (!signerPlace) throw new ConfigError(`SIGNER_SOCKET: ${SIGNER_PLACE_FAULT}`);
  return { ...values, signerPlace, temporal: temporalConfigOf(values, process.env) };
}
