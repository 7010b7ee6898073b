import { type ClientConnectConfig, loadClientConnectConfig } from '@temporalio/envconfig';
import { z } from 'zod';

type Env = Readonly<Record<string, string | undefined>>;
/** The client library treats `TEMPORAL_TLS=yes` as if TLS were switched off, so only the four values below are allowed. */
export const TemporalEnv = {
  TEMPORAL_ADDRESS: z
    .string()
    .regex(/^[^\s/]+:\d+$/, 'must be host:port')
    .default('127.0.0.1:7233')
    .meta({ form: '`host:port`', description: 'Address of the Temporal server.' }),
  TEMPORAL_NAMESPACE: z.string().min(1).default('default').describe('Namespace of the workflows.'),
  TEMPORAL_TLS: z.enum(['true', '1', 'false', '0'], { error: 'must be true, 1, false or 0' }).optional().meta({
    form: '`true`, `false`, `1`, `0`',
    description:
      'Whether connections to Temporal use TLS; production must set it. `false` is for a trusted network, and not allowed with an API key.',
  }),
  TEMPORAL_API_KEY: z
    .string()
    .optional()
    .meta({ secret: true, description: "Key for Temporal's API; the key is sent only over TLS." }),
};

type Values = z.output<z.ZodObject<typeof TemporalEnv>> & { readonly NODE_ENV: string };

/**
 * In production, only `TEMPORAL_TLS` set to `false` or `0` may lead to an unencrypted connection. An API key always needs TLS.
 */
export const TEMPORAL_TLS_RULE = {
  holds: ({ NODE_ENV, TEMPORAL_TLS, TEMPORAL_API_KEY }: Partial<Values>): boolean => {
    const isOff = TEMPORAL_TLS === 'false' || TEMPORAL_TLS === '0';
    if (TEMPORAL_API_KEY !== undefined && isOff) return false;
    return NODE_ENV !== 'production' || TEMPORAL_TLS !== undefined || TEMPORAL_API_KEY !== undefined;
  },
  fault: {
    path: ['TEMPORAL_TLS'],
    message:
      'must be set in production: to true, or to false for an unencrypted connection inside a trusted network (never with an API key)',
    // Without `when`, zod would skip this rule if another variable were at fault.
    when: () => true,
  },
};

export type TemporalConfig = ClientConnectConfig & { readonly namespace: string };

/** The configuration file of the client library is not read. */
export function temporalConfigOf({ TEMPORAL_ADDRESS, TEMPORAL_NAMESPACE }: Values, env: Env): TemporalConfig {
  const own = Object.entries(env).filter((pair): pair is [string, string] => pair[1] !== undefined && pair[1] !== '');
  const config = loadClientConnectConfig({
    disableFile: true,
    overrideEnvVars: { ...Object.fromEntries(own), TEMPORAL_ADDRESS, TEMPORAL_NAMESPACE },
  });
  return { ...config, namespace: TEMPORAL_NAMESPACE };
}
