/** 202: the change waits for people; `changeRequest` is the body (contract: "pending policy"). */
export class Accepted {
  constructor(readonly changeRequest: unknown) {}
}

/**
 * 200 with text of another media type than JSON, whole or piece by piece. A client that asks for JSON gets it as one JSON string,
 * because published clients parse every answer.
 */
export class TextAnswer {
  constructor(
    readonly type: string,
    readonly text: string | AsyncIterable<string>,
    readonly headers: Readonly<Record<string, string>> = {},
  ) {}
}

/** What goes out. */
export type Answer = {
  readonly status: 200 | 202;
  readonly type: string;
  readonly text: string | AsyncIterable<string>;
  readonly headers: Readonly<Record<string, string>>;
};

/** The text as one JSON string, piece by piece. */
export async function* asJsonString(text: string | AsyncIterable<string>): AsyncIterable<string> {
  yield '"';
  if (typeof text === 'string') yield JSON.stringify(text).slice(1, -1);
  else for await (const piece of text) yield JSON.stringify(piece).slice(1, -1);
  yield '"';
}
