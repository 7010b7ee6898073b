import koaCors from '@koa/cors';
import type { Middleware } from 'koa';

const PREFLIGHT_SECONDS = 600;

/**
 * Lets pages of the configured origins call us, and no others. No credentials of the browser: who calls is said by a token in a
 * header, which no page of somebody else's can add.
 */
export function crossOrigin(origins: readonly string[]): Middleware {
  return koaCors({
    origin: (ctx) => (origins.includes(ctx.get('origin')) ? ctx.get('origin') : ''),
    credentials: false,
    allowMethods: ['GET', 'HEAD', 'POST', 'PUT', 'DELETE'],
    allowHeaders: ['authorization', 'content-type', 'x-svc-useraction', 'x-svc-sdk-version'],
    exposeHeaders: [
      'link',
      'ratelimit',
      'ratelimit-policy',
      'retry-after',
      'strongroom-warning',
      'x-request-id',
      'x-svc-result-truncated',
    ],
    maxAge: PREFLIGHT_SECONDS,
    // Errors are answered further in, where these headers stay.
    keepHeadersOnError: false,
  });
}
