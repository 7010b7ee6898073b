import { readFileSync } from 'node:fs';
import { z } from 'zod';

type Env = Readonly<Record<string, string | undefined>>;

/** The message lists the faults of the configuration, one per line. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

/**
 * Reads environment variables. If `X` is not set, the variable `X_FILE` can name a file with the value of `X`, because a secret
 * should not be in the environment. Throws one `ConfigError` for all faults that were found.
 */
export function readConfig<S extends z.ZodType>(schema: S, env: Env): z.output<S> {
  const faults: string[] = [];
  const values: Record<string, string> = {};
  for (const [name, value] of Object.entries(env)) {
    if (value !== undefined && value !== '') values[name] = value;
  }
  for (const [name, path] of Object.entries(values)) {
    const target = name.slice(0, -'_FILE'.length);
    if (!name.endsWith('_FILE') || values[target] !== undefined || !expects(schema, target)) continue;
    try {
      values[target] = readFileSync(path, 'utf8').trim();
    } catch (error) {
      faults.push(`${name}: ${path} cannot be read (${error instanceof Error ? error.message : String(error)})`);
    }
  }
  const result = schema.safeParse(values);
  if (!result.success) {
    faults.push(
      ...result.error.issues.map(({ path, message }) => {
        const name = path.join('.');
        return `${name}: ${path.length === 1 && values[name] === undefined && message.endsWith('undefined') ? 'is not set' : message}`;
      }),
    );
  }
  if (result.success && faults.length === 0) return result.data;
  throw new ConfigError(`The configuration is not usable:\n${faults.map((fault) => `  ${fault}`).join('\n')}`);
}

function expects(schema: z.ZodType, name: string): boolean {
  return schema instanceof z.ZodObject && name in schema.shape;
}

export const Port = z.coerce.number().int().min(0).max(65_535);

/** Only `true` and `false` are allowed, because a misspelt value must not silently be read as false. */
export const Flag = z.enum(['true', 'false']).transform((text) => text === 'true');

export const DatabaseUrl = z
  .url({ protocol: /^postgres(ql)?$/, error: 'must be a postgres:// address' })
  .meta({ form: '`postgres://` address', secret: true });

export const OwnerDatabaseUrl = DatabaseUrl.describe('Connection of the role that owns the schema and sees all organisations.');

export const HttpUrl = z.url({ protocol: /^https?$/ }).meta({ form: 'http or https address' });

export const Key32 = z
  .string()
  .regex(/^[0-9a-fA-F]{64}$/, 'must be 64 hex digits (32 bytes)')
  .transform((hex) => Buffer.from(hex, 'hex'))
  .meta({ form: '64 hex digits', secret: true });

export const DataKek = Key32.describe('Key that seals webhook secrets, credentials of vendors and payloads in Temporal.');

export const JsonText = z
  .string()
  .default('{}')
  .transform((text, ctx) => {
    try {
      return JSON.parse(text) as unknown;
    } catch {
      ctx.addIssue({ code: 'custom', message: 'must be JSON' });
      return z.NEVER;
    }
  })
  .meta({ form: 'JSON' });

const RpcUrl = z
  .url({ protocol: /^https?$/ })
  // The HTTP client of Node.js rejects an address with a user name or password, and its error repeats the password.
  .refine((url) => !/^\w+:\/\/[^/?#]*@/.test(url), 'must hold no user name and no password');

/** RPC addresses per network as a JSON object: `{"EthereumSepolia":["http://127.0.0.1:8545"]}`. */
export const RpcUrls = JsonText.pipe(z.record(z.string(), z.array(RpcUrl).min(1)));

export const LogLevel = z
  .enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'])
  .default('info')
  .describe('Least severe level of the lines that are logged.');

export const NodeEnv = z
  .enum(['development', 'test', 'production'])
  .default('production')
  .describe('Kind of installation; production refuses settings that are only for trials.');
