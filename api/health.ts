import Router from '@koa/router';
import type { Middleware } from 'koa';
import type { RestoreLockStatus } from '../application/deployment/restore-lock';
import type { Logger } from '../platform/logger';
import { type Checks, readiness } from '../platform/readiness';
import type { RequestState } from './http/request-log';

/**
 * `/health/live` reports that the process runs. `/health/ready` returns 503 with the failed checks if the process cannot work.
 */
export function healthRoutes(checks: Checks, { standing }: RestoreLockStatus, logger: Logger): Middleware<RequestState> {
  const router = new Router<RequestState>();
  router.get('/health/live', (ctx) => {
    ctx.body = { status: 'live' };
  });
  router.get('/health/ready', async (ctx) => {
    const { status, body } = await readiness(checks, standing, logger);
    ctx.status = status;
    ctx.body = body;
  });
  return router.routes() as Middleware<RequestState>;
}
