/** The request and the response that tests recorded in `openapi/examples/<operationId>.json`. */
export type Example = {
  readonly params: Readonly<Record<string, string>>;
  /** The query as it is sent in the URL, so every value is text. */
  readonly query: Readonly<Record<string, string>>;
  readonly body?: unknown;
  readonly response: unknown;
  /** Present if policies can hold the change for approval. */
  readonly accepted?: unknown;
};

/** One example for each `operationId`, and one delivery for each kind of event (`openapi/deliveries/<kind>.json`). */
export type Examples = {
  readonly operations: Readonly<Record<string, Example>>;
  readonly deliveries: Readonly<Record<string, unknown>>;
};

export const NO_EXAMPLES: Examples = { operations: {}, deliveries: {} };

export function typedAs({ type }: Readonly<Record<string, unknown>>, text: string): unknown {
  if (type === 'integer') return Number(text);
  if (type === 'boolean') return text === 'true';
  return type === 'array' ? [text] : text;
}
