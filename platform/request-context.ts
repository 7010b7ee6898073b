import { AsyncLocalStorage } from 'node:async_hooks';

/**
 * Whose request the work at hand belongs to. `requestId` is the one that the caller was answered; `traceparent` names the span
 * that the work is part of, as W3C Trace Context writes it. Both are empty for work that no request asked for.
 */
export type RequestContext = { readonly requestId?: string; readonly traceparent?: string };

const REQUEST_ID = /^[0-9A-Za-z-]{1,64}$/;
const TRACEPARENT = /^00-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-0[01]$/;
const NONE: RequestContext = {};
const storage = new AsyncLocalStorage<RequestContext>();

/** The context of the work at hand. */
export const requestContext = (): RequestContext => storage.getStore() ?? NONE;

/** Does the work, and all that it begins, in this context. */
export const inContext = <T>(context: RequestContext, work: () => T): T => storage.run(context, work);

/** The context that a row, a header or a frame carries; what does not look like one is left out, because others wrote it. */
export function contextFrom({ requestId, traceparent }: Readonly<Record<string, unknown>>): RequestContext {
  return {
    ...(typeof requestId === 'string' && REQUEST_ID.test(requestId) ? { requestId } : {}),
    ...(typeof traceparent === 'string' && TRACEPARENT.test(traceparent) ? { traceparent } : {}),
  };
}

/** What belongs to the work itself, without the context that travels beside it. */
export function withoutContext(routing: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const { requestId: _requestId, traceparent: _traceparent, ...own } = routing;
  return own;
}
