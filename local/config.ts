import { z } from 'zod';
import { LogLevel, Port, readConfig } from '../platform/config';

const ChainConfig = z.object({
  ANVIL_PATH: z.string({ error: 'the path of an anvil binary is missing' }),
  CHAIN_STATE_FILE: z.string({ error: 'the file that keeps the chain is missing' }),
  CHAIN_PORT: Port.default(8545),
  CHAIN_ID: z.coerce.number().int().positive().default(11_155_111),
  CHAIN_CONFIRMATIONS: z.coerce.number().int().min(0).max(100).default(3),
  LOG_LEVEL: LogLevel,
});

export type ChainConfig = z.output<typeof ChainConfig>;

/** The settings of the local chain's process; throws a ConfigError that lists every fault. */
export const chainConfig = (env: NodeJS.ProcessEnv = process.env): ChainConfig => readConfig(ChainConfig, env);
