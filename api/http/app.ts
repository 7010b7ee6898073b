import Koa, { type Middleware } from 'koa';
import { AppError } from '../../domain/errors';
import type { Logger } from '../../platform/logger';
import type { AddressOf } from './client-address';
import { crossOrigin } from './cors';
import { type RequestState, requestLog } from './request-log';
import { securityHeaders } from './security-headers';

type Part = Middleware<RequestState>;

export type AppParts = {
  /** The app tries the routes in this order, and returns 404 if no route matches the request. */
  readonly routes: readonly Part[];
  /** These middlewares run outside all others and thus see the final response. */
  readonly outermost?: readonly Part[];
  readonly addressOf: AddressOf;
  /** Origins whose pages may call the API. */
  readonly origins: readonly string[];
  readonly publicUrl?: string | undefined;
};

export function createApp(logger: Logger, parts: AppParts): Koa<RequestState> {
  const { routes, outermost = [], addressOf, origins, publicUrl } = parts;
  const app = new Koa<RequestState>();
  for (const part of outermost) app.use(part);
  app.use(securityHeaders(publicUrl));
  app.use(requestLog(logger, addressOf, publicUrl));
  app.use(crossOrigin(origins));
  for (const route of routes) app.use(route);
  app.use(() => {
    throw new AppError('NotFound', 'No such path');
  });
  // Without a listener Koa would print these connection faults with their stacks to the console.
  app.on('error', (error: unknown) => logger.debug({ err: error }, 'connection fault'));
  return app;
}
