import Koa, { type Middleware } from 'koa';
import { AppError } from '../../domain/errors';
import type { Logger } from '../../platform/logger';
import { type RequestState, requestLog } from './request-log';

/** Answers carry no active content, so a browser that is talked into showing one has nothing to run. */
const HEADERS = {
  'Cache-Control': 'no-store',
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
} as const;

type Part = Middleware<RequestState>;

/** The Koa application: log and errors around the given routes in order, then 404; `outermost` sees what the caller gets. */
export function createApp(logger: Logger, routes: readonly Part[], outermost: readonly Part[] = []): Koa<RequestState> {
  const app = new Koa<RequestState>();
  for (const part of outermost) app.use(part);
  app.use(async (ctx, next) => {
    ctx.set(HEADERS);
    await next();
  });
  app.use(requestLog(logger));
  for (const route of routes) app.use(route);
  app.use(() => {
    throw new AppError('NotFound', 'There is nothing at this path');
  });
  // Only faults of the connection itself come here; Koa would print them with their stack to the console.
  app.on('error', (error: unknown) => logger.debug({ err: error }, 'connection fault'));
  return app;
}
