import { z } from 'zod';
import { LogLevel, readConfig } from '../platform/config';

/** The kernel truncates longer paths without an error, and no client could connect. */
const SOCKET_PATH_BYTES_MAX = 100;

const Targets = z
  .string()
  .transform((text) => text.split(',').map((one) => one.trim().toLowerCase()))
  .refine((targets) => targets.every((one) => /^[a-z0-9.-]+:[1-9]\d{0,4}$/.test(one)), 'must be host:port, several with commas');

const ForwarderEnv = z.object({
  FORWARDER_SOCKET: z
    .string()
    .refine((path) => Buffer.byteLength(path) <= SOCKET_PATH_BYTES_MAX, `must be at most ${SOCKET_PATH_BYTES_MAX} bytes long`),
  /** All reachable targets: `kms.eu-central-1.amazonaws.com:443`. */
  FORWARDER_TARGETS: Targets,
  LOG_LEVEL: LogLevel,
});

/** The configuration of the forwarder, or a `ConfigError` that lists every fault. */
export const forwarderConfig = () => readConfig(ForwarderEnv, process.env);
