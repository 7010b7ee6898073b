import { randomUUID } from 'node:crypto';
import type { Middleware, Next, ParameterizedContext } from 'koa';
import type { Caller } from '../../domain/callers';
import type { ErrorCode } from '../../domain/errors';
import type { Logger } from '../../platform/logger';
import { contextFrom, inContext } from '../../platform/request-context';
import { inRootSpan, isTracing, NO_SPAN, type Span } from '../../platform/spans';
import { errorBody, toAppError } from './errors';

/** What the middlewares of one request share. */
export type RequestState = { requestId: string; operationId?: string; caller?: Caller; errorCode?: ErrorCode };

/**
 * Gives each request an id, answers every error in one form, and logs one line per request: never a body, a token, a
 * header or a path with values in it.
 */
export function requestLog(logger: Logger): Middleware<RequestState> {
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
      if (known.status === 401) ctx.set('WWW-Authenticate', 'Bearer');
    }
    // The rest of a body that nobody read would be taken for the next request.
    if (!ctx.req.complete && ctx.req.headers['content-length'] !== undefined && ctx.status >= 400) ctx.set('Connection', 'close');
    const { operationId, caller, errorCode } = ctx.state;
    const line = {
      method: ctx.method,
      operationId,
      status: ctx.status,
      ms: Math.round(performance.now() - started),
      orgId: caller?.orgId,
      userId: caller?.userId,
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
    ctx.state.requestId = requestId;
    ctx.set('x-request-id', requestId);
    // A caller's own trace is continued where traces are made, and otherwise of no use to anybody.
    const traceparent = isTracing() ? ctx.get('traceparent') : undefined;
    return inContext(contextFrom({ requestId, traceparent }), () => {
      // A probe every few seconds would bury the traces that somebody looks for.
      if (ctx.path.startsWith('/health/')) return answer(ctx, next, NO_SPAN);
      const attributes = { 'http.request.method': ctx.method };
      return inRootSpan({ name: 'http', kind: 'server', attributes }, (span) => answer(ctx, next, span));
    });
  };
}
