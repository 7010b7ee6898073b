import { randomUUID } from 'node:crypto';
import type { Middleware, Next, ParameterizedContext } from 'koa';
import type { Caller } from '../../domain/callers';
import type { ErrorCode } from '../../domain/errors';
import { forClientAddress } from '../../platform/client-address';
import type { Logger } from '../../platform/logger';
import { contextFrom, inContext } from '../../platform/request-context';
import { inRootSpan, isTracing, NO_SPAN, type Span } from '../../platform/spans';
import { FILE_BODY_BYTES_MAX } from './body';
import type { AddressOf } from './client-address';
import { errorBody, helpLink, toAppError } from './errors';

export type RequestState = {
  requestId: string;
  /** The client's address, resolved through our proxies. */
  address: string;
  operationId?: string;
  /** Such as `/wallets/{walletId}`. */
  pathTemplate?: string;
  caller?: Caller;
  errorCode?: ErrorCode;
};

/**
 * A client that still sends its body would lose the answer if the connection were closed, so the rest of the body is dropped. The
 * connection is closed only if the rest is too long to wait for.
 */
function leaveBody(ctx: Pick<ParameterizedContext, 'req' | 'set'>): void {
  const length = ctx.req.headers['content-length'];
  if (length === undefined) return;
  if (Number(length) <= FILE_BODY_BYTES_MAX) ctx.req.resume();
  else ctx.set('Connection', 'close');
}

/**
 * Gives each request an id, returns every error in one format, and logs one line per request. The line never contains a body, a
 * token, a header other than the user agent, or a path with values.
 */
export function requestLog(logger: Logger, addressOf: AddressOf, publicUrl: string | undefined): Middleware<RequestState> {
  const answer = async (ctx: ParameterizedContext<RequestState>, next: Next, span: Span): Promise<void> => {
    const started = performance.now();
    let fault: unknown;
    try {
      await next();
    } catch (error) {
      const known = toAppError(error);
      fault = known.status >= 500 ? known : undefined;
      ctx.state.errorCode = known.code;
      ctx.status = known.status;
      ctx.body = JSON.stringify(errorBody(known));
      ctx.type = 'application/json';
      ctx.set('Link', helpLink(publicUrl, known.code));
      if (known.status === 401) ctx.set('WWW-Authenticate', 'Bearer');
    }
    if (!ctx.req.complete && ctx.status >= 400) leaveBody(ctx);
    const { operationId, pathTemplate, caller, errorCode } = ctx.state;
    const line = {
      method: ctx.method,
      path: pathTemplate,
      operationId,
      status: ctx.status,
      ms: Math.round(performance.now() - started),
      orgId: caller?.orgId,
      userId: caller?.userId,
      tokenId: caller?.tokenId,
      errorCode,
      clientAddress: ctx.state.address,
      userAgent: ctx.req.headers['user-agent'],
      ...(fault === undefined ? {} : { err: fault }),
    };
    if (fault === undefined) logger.info(line, 'request');
    else logger.error(line, 'request failed');

    if (operationId !== undefined) span.rename(`http ${operationId}`);
    span.set({ 'strongroom.operation': operationId, 'http.response.status_code': ctx.status, 'error.type': errorCode });
    if (fault !== undefined) span.fail(fault);
  };

  return (ctx, next) => {
    const requestId = randomUUID();
    const address = addressOf(ctx.req);
    ctx.state.requestId = requestId;
    ctx.state.address = address;
    ctx.set('x-request-id', requestId);
    // The trace of the caller is continued only if this process traces its requests.
    const traceparent = isTracing() ? ctx.get('traceparent') : undefined;
    const work = () => {
      // Health probes come every few seconds and would bury the useful traces.
      if (ctx.path.startsWith('/health/')) return answer(ctx, next, NO_SPAN);
      const attributes = { 'http.request.method': ctx.method };
      return inRootSpan({ name: 'http', kind: 'server', attributes }, (span) => answer(ctx, next, span));
    };
    return inContext(contextFrom({ requestId, traceparent }), () => forClientAddress(address, work));
  };
}
