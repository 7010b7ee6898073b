import Router from '@koa/router';
import type { Middleware } from 'koa';
import type { Logger } from '../platform/logger';
import { type Checks, notReady, readinessBody } from '../platform/readiness';
import type { RequestState } from './http/request-log';

/** `/health/live` says that the process runs; `/health/ready` that it can work, or the names of what is missing (503). */
export function healthRoutes(checks: Checks, logger: Logger): Middleware<RequestState> {
  const router = new Router<RequestState>();
  router.get('/health/live', (ctx) => {
    ctx.body = { status: 'live' };
  });
  router.get('/health/ready', async (ctx) => {
    const names = await notReady(checks, logger);
    ctx.status = names.length === 0 ? 200 : 503;
    ctx.body = readinessBody(names);
  });
  return router.routes() as Middleware<RequestState>;
}
