/** 202: the change waits for people; `changeRequest` is the body (contract: "pending policy"). */
export class Accepted {
  constructor(readonly changeRequest: unknown) {}
}

/** 200 with text of another media type than JSON, as it stands. */
export class TextAnswer {
  constructor(
    readonly type: string,
    readonly text: string,
    readonly headers: Readonly<Record<string, string>> = {},
  ) {}
}

/** What goes out. */
export type Answer = {
  readonly status: 200 | 202;
  readonly type: string;
  readonly text: string;
  readonly headers: Readonly<Record<string, string>>;
};
