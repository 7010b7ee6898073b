import type { Middleware } from 'koa';
import type { Metrics } from '../platform/metrics';
import type { RequestState } from './http/request-log';

/** Measures every request. This middleware must be the outermost one, because no other middleware sees the final status. */
export function measureRequests(metrics: Metrics): Middleware<RequestState> {
  return async (ctx, next) => {
    const started = performance.now();
    metrics.add('strongroom_http_requests_in_flight', {}, 1);
    try {
      await next();
    } finally {
      metrics.add('strongroom_http_requests_in_flight', {}, -1);
      const { operationId: operation = 'other', errorCode: code } = ctx.state;
      const seconds = (performance.now() - started) / 1_000;
      metrics.observe('strongroom_http_request_duration_seconds', { operation, status: String(ctx.status) }, seconds);
      if (code !== undefined) metrics.count('strongroom_http_errors_total', { code });
    }
  };
}
