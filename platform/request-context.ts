import { AsyncLocalStorage } from 'node:async_hooks';

/**
 * The request to which the current work belongs. `requestId` is the id that the caller received. `traceparent` names the span
 * that contains the work, in the format of W3C Trace Context. `requestId` and `traceparent` are absent for work outside any
 * request.
 */
export type RequestContext = { readonly requestId?: string; readonly traceparent?: string };

const REQUEST_ID = /^[0-9A-Za-z-]{1,64}$/;
const TRACEPARENT = /^00-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-0[01]$/;
const NONE: RequestContext = {};
const storage = new AsyncLocalStorage<RequestContext>();

/** The context of the current work. */
export const requestContext = (): RequestContext => storage.getStore() ?? NONE;

/** Runs the work, and everything that the work starts, in this context. */
export const inContext = <T>(context: RequestContext, work: () => T): T => storage.run(context, work);

/**
 * Reads the context in a row, a header or a frame. Malformed values are dropped, because another program may have written the
 * values.
 */
export function contextFrom({ requestId, traceparent }: Readonly<Record<string, unknown>>): RequestContext {
  return {
    ...(typeof requestId === 'string' && REQUEST_ID.test(requestId) ? { requestId } : {}),
    ...(typeof traceparent === 'string' && TRACEPARENT.test(traceparent) ? { traceparent } : {}),
  };
}

/** The routing of an outbox row without the request context that the row carries in the same object. */
export function withoutContext(routing: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const { requestId: _requestId, traceparent: _traceparent, ...own } = routing;
  return own;
}
