import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parse } from 'yaml';
import { z } from 'zod';

export const ROOT = resolve(__dirname, '..', '..');

const Environment = z.record(z.string(), z.coerce.string()).default({});
const Service = z.looseObject({
  image: z.string().default(''),
  build: z.looseObject({ target: z.string() }).optional(),
  user: z.string().default(''),
  read_only: z.boolean().default(false),
  privileged: z.boolean().default(false),
  cap_drop: z.array(z.string()).default([]),
  cap_add: z.array(z.string()).default([]),
  security_opt: z.array(z.string()).default([]),
  restart: z.string().default('no'),
  init: z.boolean().default(false),
  container_name: z.string().optional(),
  network_mode: z.string().optional(),
  networks: z.array(z.string()).default([]),
  command: z.array(z.string()).optional(),
  entrypoint: z.array(z.string()).optional(),
  environment: Environment,
  ports: z.array(z.string()).default([]),
  volumes: z.array(z.string()).default([]),
  secrets: z.array(z.string()).default([]),
  depends_on: z.record(z.string(), z.object({ condition: z.string() })).default({}),
  healthcheck: z.looseObject({ test: z.array(z.string()) }).optional(),
  stop_grace_period: z.string().optional(),
  mem_limit: z.string().optional(),
  pids_limit: z.number().optional(),
  logging: z.looseObject({}).optional(),
});
const Compose = z.looseObject({
  services: z.record(z.string(), Service),
  networks: z.record(z.string(), z.looseObject({ internal: z.boolean().default(false) })).default({}),
  volumes: z.record(z.string(), z.unknown()).default({}),
  secrets: z.record(z.string(), z.looseObject({ file: z.string() })).default({}),
});

export type ComposeFile = z.output<typeof Compose>;
export type ComposeService = z.output<typeof Service>;
type Variables = Readonly<Record<string, string>>;

const VARIABLE = /\$\{(\w+)(?::([-?])([^}]*))?\}/g;

/** Replaces `${NAME}`, `${NAME:-default}` and `${NAME:?reason}` in a text, as docker compose does. */
function interpolate(text: string, variables: Variables): string {
  return text.replaceAll(VARIABLE, (_, name: string, operator: string | undefined, word = '') => {
    const value = variables[name];
    if (value !== undefined && value !== '') return value;
    if (operator === '?') throw new Error(`${name} is required: ${word}`);
    return operator === '-' ? word : '';
  });
}

const everyText = (value: unknown, change: (text: string) => string): unknown => {
  if (typeof value === 'string') return change(value);
  if (Array.isArray(value)) return value.map((item) => everyText(item, change));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, everyText(item, change)]));
};

/** The compose file as docker compose reads it, with merged keys and the values of these variables. */
export const readCompose = (text: string, variables: Variables): unknown =>
  everyText(parse(text, { merge: true }), (word) => interpolate(word, variables));

export const composeOf = (value: unknown): ComposeFile => Compose.parse(value);

export const composeText = readFileSync(join(ROOT, 'docker-compose.yml'), 'utf8');

/** The variables of an env file as docker compose reads them, without the single quotes around a value. */
export function readEnvFile(path: string): Record<string, string> {
  if (!existsSync(path)) return {};
  const lines = readFileSync(path, 'utf8').split('\n');
  return Object.fromEntries(
    lines.flatMap((line) => {
      const [, name, value = ''] = /^(\w+)=(.*)$/.exec(line) ?? [];
      return name === undefined ? [] : [[name, value.replace(/^'(.*)'$/, '$1')]];
    }),
  );
}
