import { AsyncLocalStorage } from 'node:async_hooks';

/**
 * The request that the current work belongs to. `requestId` is the one that the caller received; `traceparent` names the span that the
 * work is part of, in the format of W3C Trace Context. Both are empty for work outside any request.
 */
export type RequestContext = { readonly requestId?: string; readonly traceparent?: string };

const REQUEST_ID = /^[0-9A-Za-z-]{1,64}$/;
const TRACEPARENT = /^00-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-0[01]$/;
const NONE: RequestContext = {};
const storage = new AsyncLocalStorage<RequestContext>();

/** The context of the current work. */
export const requestContext = (): RequestContext => storage.getStore() ?? NONE;

/** Runs the work, and all that it starts, in this context. */
export const inContext = <T>(context: RequestContext, work: () => T): T => storage.run(context, work);

/** The context that a row, a header or a frame carries; malformed values are dropped, because others wrote them. */
export function contextFrom({ requestId, traceparent }: Readonly<Record<string, unknown>>): RequestContext {
  return {
    ...(typeof requestId === 'string' && REQUEST_ID.test(requestId) ? { requestId } : {}),
    ...(typeof traceparent === 'string' && TRACEPARENT.test(traceparent) ? { traceparent } : {}),
  };
}

/** The members of the work itself, without the request context that travels with them. */
export function withoutContext(routing: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const { requestId: _requestId, traceparent: _traceparent, ...own } = routing;
  return own;
}
