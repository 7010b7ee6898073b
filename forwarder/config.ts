import { z } from 'zod';
import { LogLevel, readConfig } from '../platform/config';

/** The kernel truncates a longer path without an error, and no client finds the socket at the truncated path. */
const SOCKET_PATH_BYTES_MAX = 100;

const Targets = z
  .string()
  .transform((text) => text.split(',').map((one) => one.trim().toLowerCase()))
  .refine((targets) => targets.every((one) => /^[a-z0-9.-]+:[1-9]\d{0,4}$/.test(one)), 'must be host:port, several with commas');

export const ForwarderEnv = z.object({
  FORWARDER_SOCKET: z
    .string()
    .refine((path) => Buffer.byteLength(path) <= SOCKET_PATH_BYTES_MAX, `must be at most ${SOCKET_PATH_BYTES_MAX} bytes long`)
    .meta({
      form: `path of at most ${SOCKET_PATH_BYTES_MAX} bytes`,
      description: 'Unix socket on which the forwarder listens for the signer.',
    }),
  FORWARDER_TARGETS: Targets.meta({
    form: '`host:port`, separated by commas',
    description: 'The only addresses that may be reached through the forwarder, such as `kms.eu-central-1.amazonaws.com:443`.',
  }),
  LOG_LEVEL: LogLevel,
});

export const forwarderConfig = () => readConfig(ForwarderEnv, process.env);
