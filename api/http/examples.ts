/**
 * A request of an operation, and the response of a running installation that accepted the request. Tests recorded both in
 * `openapi/examples/<operationId>.json`.
 */
export type Example = {
  readonly params: Readonly<Record<string, string>>;
  /** The query as sent in the address, so every value is text. */
  readonly query: Readonly<Record<string, string>>;
  readonly body?: unknown;
  readonly response: unknown;
  /** The response with status 202, where a policy can ask for an approval of the change. */
  readonly accepted?: unknown;
};

/**
 * The examples of the document: operations by `operationId`, and delivered webhooks by the kind of their event. Tests recorded a
 * delivery in `openapi/deliveries/<kind>.json`.
 */
export type Examples = {
  readonly operations: Readonly<Record<string, Example>>;
  readonly deliveries: Readonly<Record<string, unknown>>;
};

export const NO_EXAMPLES: Examples = { operations: {}, deliveries: {} };

/** Converts the text of a parameter in an address to the type that the parameter's schema gives. */
export function typedAs({ type }: Readonly<Record<string, unknown>>, text: string): unknown {
  if (type === 'integer') return Number(text);
  if (type === 'boolean') return text === 'true';
  return type === 'array' ? [text] : text;
}
