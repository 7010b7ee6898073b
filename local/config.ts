import { z } from 'zod';
import { DatabaseUrl, JsonText, LogLevel, NodeEnv, Port, readConfig } from '../platform/config';
import { EVM_VARIANT_NAMES } from './evm-variants';

const ChainConfig = z.object({
  ANVIL_PATH: z.string({ error: 'the path of an anvil binary is missing' }),
  CHAIN_STATE_FILE: z.string({ error: 'the file that keeps the chain is missing' }),
  CHAIN_PORT: Port.default(8545),
  /** In a container this address must not be loopback, because the callers are outside the container. */
  CHAIN_HOST: z.string().min(1).default('127.0.0.1'),
  CHAIN_ID: z.coerce.number().int().positive().default(11_155_111),
  CHAIN_VARIANT: z.enum(EVM_VARIANT_NAMES).default('Ethereum'),
  CHAIN_CONFIRMATIONS: z.coerce.number().int().min(0).max(100).default(3),
  LOG_LEVEL: LogLevel,
});

export type ChainConfig = z.output<typeof ChainConfig>;

/** Throws a ConfigError that lists every fault. */
export const chainConfig = (env: NodeJS.ProcessEnv = process.env): ChainConfig => readConfig(ChainConfig, env);

const SolanaBankConfig = z.object({
  SOLANA_STATE_FILE: z.string({ error: 'the file that keeps the bank is missing' }),
  SOLANA_PORT: Port.default(8899),
  SOLANA_HOST: z.string().min(1).default('127.0.0.1'),
  LOG_LEVEL: LogLevel,
});

/** Throws a ConfigError that lists every fault. */
export const solanaBankConfig = (env: NodeJS.ProcessEnv = process.env): z.output<typeof SolanaBankConfig> =>
  readConfig(SolanaBankConfig, env);

/** The command that starts the node, as `scripts/prepare/` has found it. The `args` go before the node's own arguments. */
const NodeProgram = z.object({ command: z.string().min(1), args: z.array(z.string()) });

const CoinConfig = z.object({
  COIN_KIND: z.enum(['bitcoin', 'litecoin', 'bitcoincash']),
  /** The network that the local chain imitates. */
  COIN_NETWORK: z.string().min(1),
  COIN_FOLDER: z.string({ error: 'the folder that keeps the chain is missing' }),
  COIN_NODE: JsonText.pipe(NodeProgram),
  COIN_PORT: Port.default(8541),
  COIN_CONFIRMATIONS: z.coerce.number().int().min(0).max(100).default(6),
  LOG_LEVEL: LogLevel,
});

export type CoinConfig = z.output<typeof CoinConfig>;

/** Throws a ConfigError that lists every fault. */
export const coinConfig = (env: NodeJS.ProcessEnv = process.env): CoinConfig => readConfig(CoinConfig, env);

const MailboxConfig = z.object({
  MAILBOX_FOLDER: z.string({ error: 'the folder that keeps the mails is missing' }),
  SMTP_PORT: Port.default(2525),
  /** The port of the page that shows the mails. */
  MAILBOX_PORT: Port.default(8239),
  LOG_LEVEL: LogLevel,
});

/** Throws a ConfigError that lists every fault. */
export const mailboxConfig = (env: NodeJS.ProcessEnv = process.env): z.output<typeof MailboxConfig> =>
  readConfig(MailboxConfig, env);

const VendorsConfig = z.object({
  /** The port of all simulated vendors, and of the page on which you set their behaviour and findings. */
  VENDORS_PORT: Port.default(8240),
  LOG_LEVEL: LogLevel,
});

/** Throws a ConfigError that lists every fault. */
export const vendorsConfig = (env: NodeJS.ProcessEnv = process.env): z.output<typeof VendorsConfig> =>
  readConfig(VendorsConfig, env);

const FirstRunEnv = z
  .object({
    DATABASE_URL: DatabaseUrl,
    /** The connection of the role `owner`, because only this role sees the existing organisations. */
    OWNER_DATABASE_URL: DatabaseUrl,
    TOKEN_KEY: z.string(),
    FIRST_RUN_FILE: z.string().min(1),
    BASE_URL: z.url(),
    /** Empty if the Temporal server is external. */
    TEMPORAL_UI_URL: z.string().default(''),
    DOCS_URL: z.url(),
    /** Empty without a mailbox. */
    MAILBOX_URL: z.string().default(''),
    /** Empty without simulated vendors. */
    VENDORS_URL: z.string().default(''),
    CHAINS_JSON: JsonText,
    NODE_ENV: NodeEnv,
  })
  .refine(({ NODE_ENV }) => NODE_ENV !== 'production', {
    path: ['NODE_ENV'],
    message: 'the first-run file holds private keys and is never written in production',
  });

export type FirstRunConfig = z.output<typeof FirstRunEnv>;

/** Throws a ConfigError that lists every fault. */
export const firstRunConfig = (env: NodeJS.ProcessEnv = process.env): FirstRunConfig => readConfig(FirstRunEnv, env);
