/**
 * A request of an operation, and the response of a running installation that accepted the request. Tests recorded the request
 * and the response in `openapi/examples/<operationId>.json`.
 */
export type Example = {
  readonly params: Readonly<Record<string, string>>;
  /** The query as sent in the address, so every value is text. */
  readonly query: Readonly<Record<string, string>>;
  readonly body?: unknown;
  readonly response: unknown;
  /** The response with status 202; present if policies can hold the change for approval. */
  readonly accepted?: unknown;
};

/**
 * The examples in the OpenAPI document. `operations` has one example for each `operationId`. `deliveries` has one delivered
 * webhook for each kind of event. Tests recorded each delivery in `openapi/deliveries/<kind>.json`.
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
