import { randomUUID } from 'node:crypto';
import type { Middleware } from 'koa';
import type { Caller } from '../../domain/callers';
import type { ErrorCode } from '../../domain/errors';
import type { Logger } from '../../platform/logger';
import { errorBody, toAppError } from './errors';

/** What the middlewares of one request share. */
export type RequestState = { requestId: string; operationId?: string; caller?: Caller; errorCode?: ErrorCode };

/**
 * Gives each request an id, answers every error in one form, and logs one line per request: never a body, a token, a
 * header or a path with values in it.
 */
export function requestLog(logger: Logger): Middleware<RequestState> {
  return async (ctx, next) => {
    const started = performance.now();
    ctx.state.requestId = randomUUID();
    ctx.set('x-request-id', ctx.state.requestId);
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
    const { requestId, operationId, caller } = ctx.state;
    const line = {
      requestId,
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
  };
}
