import { AsyncLocalStorage } from 'node:async_hooks';

/**
 * `requestId` is the id that the caller received. `traceparent` names the span that contains the work (W3C Trace Context). The
 * members are absent for work outside any request.
 */
export type RequestContext = { readonly requestId?: string; readonly traceparent?: string };

const REQUEST_ID = /^[0-9A-Za-z-]{1,64}$/;
const TRACEPARENT = /^00-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-0[01]$/;
const NONE: RequestContext = {};
const storage = new AsyncLocalStorage<RequestContext>();

export const requestContext = (): RequestContext => storage.getStore() ?? NONE;

export const inContext = <T>(context: RequestContext, work: () => T): T => storage.run(context, work);

/** Drops malformed values, because another program may have written the row, header or frame that carries the values. */
export function contextFrom({ requestId, traceparent }: Readonly<Record<string, unknown>>): RequestContext {
  return {
    ...(typeof requestId === 'string' && REQUEST_ID.test(requestId) ? { requestId } : {}),
    ...(typeof traceparent === 'string' && TRACEPARENT.test(traceparent) ? { traceparent } : {}),
  };
}

/** Removes the request context, which an outbox row carries in the same object as its routing. */
export function withoutContext(routing: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const { requestId: _requestId, traceparent: _traceparent, ...own } = routing;
  return own;
}
