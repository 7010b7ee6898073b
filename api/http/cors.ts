import koaCors from '@koa/cors';
import type { Middleware } from 'koa';

const PREFLIGHT_SECONDS = 600;

/** Cookies are not accepted. A token in a header identifies the caller, and a page from another origin cannot add that token. */
export function crossOrigin(origins: readonly string[]): Middleware {
  return koaCors({
    origin: (ctx) => (origins.includes(ctx.get('origin')) ? ctx.get('origin') : ''),
    credentials: false,
    allowMethods: ['GET', 'HEAD', 'POST', 'PUT', 'DELETE'],
    allowHeaders: ['authorization', 'content-type', 'x-svc-useraction', 'x-svc-sdk-version', 'last-event-id'],
    exposeHeaders: [
      'link',
      'ratelimit',
      'ratelimit-policy',
      'retry-after',
      'strongroom-rows',
      'strongroom-warning',
      'x-request-id',
      'x-svc-result-truncated',
    ],
    maxAge: PREFLIGHT_SECONDS,
    // `requestLog` turns errors into responses and keeps the headers that this middleware sets.
    keepHeadersOnError: false,
  });
}
