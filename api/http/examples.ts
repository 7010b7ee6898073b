/**
 * One exchange of an operation that a running installation accepted, as the test of the contract recorded it in
 * `openapi/examples/<operationId>.json`.
 */
export type Example = {
  readonly params: Readonly<Record<string, string>>;
  /** As sent in the address, so every value is text. */
  readonly query: Readonly<Record<string, string>>;
  readonly body?: unknown;
  readonly response: unknown;
};

/** By `operationId`. */
export type Examples = Readonly<Record<string, Example>>;

/** Converts a value from an address to the type that its parameter's schema gives it. */
export function typedAs({ type }: Readonly<Record<string, unknown>>, text: string): unknown {
  if (type === 'integer') return Number(text);
  if (type === 'boolean') return text === 'true';
  return type === 'array' ? [text] : text;
}
