/** Listed texts are names and ids, so the logger truncates a longer text. The message and stack of an error stay whole. */
const TEXT_CHARS_MAX = 300;

const [text, number, texts, error] = ['text', 'number', 'texts', 'error'] as const;

type Values = { readonly text: string; readonly number: number; readonly texts: readonly string[]; readonly error: unknown };

/**
 * This list is the only filter: an unlisted member, or a value of a different kind, is never written. Secrets, chain addresses,
 * amounts and bodies do not belong on the list.
 */
export const LOG_FIELDS = {
  err: error,
  requestId: text,
  method: text,
  operationId: text,
  /** The template of a path, never its values. */
  path: text,
  status: number,
  ms: number,
  orgId: text,
  userId: text,
  tokenId: text,
  errorCode: text,
  clientAddress: text,
  userAgent: text,
  recordId: text,
  network: text,
  outboxId: text,
  attempts: number,
  count: number,
  workflowType: text,
  workflowId: text,
  runId: text,
  activityType: text,
  activityId: text,
  attempt: number,
  taskQueue: text,
  op: text,
  reason: text,
  tornBytes: number,
  kekId: text,
  attestationKey: text,
  keys: number,
  signatures: number,
  epoch: number,
  dependency: text,
  signal: text,
  host: text,
  port: number,
  url: text,
  socket: text,
  chainId: number,
  names: texts,
  networks: texts,
} as const satisfies Readonly<Record<string, keyof Values>>;

type Listed = typeof LOG_FIELDS;

export type LogFields = { readonly [F in keyof Listed]?: Values[Listed[F]] | undefined };

const isListed = (name: string): name is keyof Listed => Object.hasOwn(LOG_FIELDS, name);
const cut = (text: string) => (text.length > TEXT_CHARS_MAX ? `${text.slice(0, TEXT_CHARS_MAX)}…` : text);

function written(kind: keyof Values, value: unknown): unknown {
  if (kind === 'error') return value === undefined ? undefined : describeError(value);
  if (kind === 'number') return typeof value === 'number' ? value : undefined;
  if (kind === 'text') return typeof value === 'string' ? cut(value) : undefined;
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string').map(cut) : undefined;
}

export function listedFields(fields: object): Record<string, unknown> {
  const line: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(fields)) {
    const plain = isListed(name) ? written(LOG_FIELDS[name], value) : undefined;
    if (plain !== undefined) line[name] = plain;
  }
  return line;
}

const CAUSES_MAX = 3;

/**
 * Returns the name, the stable code, the message and the stack of the error and of its first causes. No other member is logged,
 * because a library may add members that this code cannot foresee.
 */
function describeError(error: unknown, depth = 0): Record<string, unknown> {
  if (!(error instanceof Error)) return { message: typeof error };
  const code = 'code' in error ? error.code : undefined;
  return {
    name: cut(error.name),
    ...textOf(error),
    ...(typeof code === 'string' ? { code: cut(code) } : {}),
    ...(error.cause !== undefined && depth < CAUSES_MAX ? { cause: describeError(error.cause, depth + 1) } : {}),
  };
}

/** Replaces the message of a `SyntaxError`. A JSON parser quotes the unreadable text, and this text may be a secret. */
function textOf({ name, message, stack }: Error): { readonly message: string; readonly stack: string | undefined } {
  if (name !== 'SyntaxError') return { message, stack };
  const calls = stack?.split('\n').filter((line) => /^\s+at /.test(line));
  return { message: 'a text could not be read', stack: calls?.join('\n') };
}
