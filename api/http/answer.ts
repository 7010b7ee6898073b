/** The response with status 202 to a change that waits for approval (published interface: "pending policy"). */
export class Accepted {
  constructor(readonly changeRequest: unknown) {}
}

/** The response with a warning in the header `strongroom-warning`. */
export class Warned<Body = unknown> {
  constructor(
    readonly body: Body,
    readonly warning: string,
  ) {}
}

/**
 * A text whose media type is not JSON. A client that prefers JSON receives the text as one JSON string, because published
 * clients parse every response as JSON.
 */
export class TextAnswer {
  constructor(
    readonly type: string,
    readonly text: string | AsyncIterable<string>,
    readonly headers: Readonly<Record<string, string>> = {},
  ) {}
}

export type Answer = {
  readonly status: 200 | 202;
  readonly type: string;
  readonly text: string | AsyncIterable<string>;
  readonly headers: Readonly<Record<string, string>>;
};

export async function* asJsonString(text: string | AsyncIterable<string>): AsyncIterable<string> {
  yield '"';
  if (typeof text === 'string') yield JSON.stringify(text).slice(1, -1);
  else for await (const piece of text) yield JSON.stringify(piece).slice(1, -1);
  yield '"';
}
