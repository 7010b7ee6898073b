import type { VendorFailure } from '../domain/integrations';

/** Enough characters for the operator to recognise the kind of page or text. */
const EXCERPT_CHARS_MAX = 500;

type Detail = { readonly retryAfterMs?: number | undefined; readonly unreadableReply?: string | undefined };

/** The message contains no text from our request or from the answer. */
export class VendorError extends Error {
  override readonly name = 'VendorError';
  readonly retryAfterMs: number | undefined;
  /** The beginning of an unreadable reply, without secrets, for the operator. */
  readonly unreadableReply: string | undefined;

  constructor(
    readonly failure: VendorFailure,
    message: string,
    { retryAfterMs, unreadableReply }: Detail = {},
  ) {
    super(message);
    this.retryAfterMs = retryAfterMs;
    this.unreadableReply = unreadableReply;
  }
}

/** Credentials are removed, because a vendor may repeat our request. */
export function excerptOf(reply: string, secrets: readonly string[]): string {
  let text = reply;
  for (const secret of secrets) {
    for (const form of [secret, Buffer.from(secret).toString('base64'), encodeURIComponent(secret)])
      text = text.replaceAll(form, '[removed]');
  }
  return text.replace(/[^\x20-\x7e\u00a0-\uffff]+/g, ' ').slice(0, EXCERPT_CHARS_MAX);
}
