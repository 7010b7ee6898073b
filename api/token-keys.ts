import Router from '@koa/router';
import type { Middleware } from 'koa';
import type { TokenKeys } from '../platform/token-keys';
import type { RequestState } from './http/request-log';

/** How long a reader may cache the set; a new key is published for longer than this before it signs. */
const AGE_SECONDS = 300;

/** `/.well-known/jwks.json`: the public keys of our tokens (RFC 7517). */
export function tokenKeyRoutes({ jwks }: Pick<TokenKeys, 'jwks'>): Middleware<RequestState> {
  const router = new Router<RequestState>();
  const text = JSON.stringify(jwks);
  router.get('/.well-known/jwks.json', (ctx) => {
    ctx.set('Cache-Control', `public, max-age=${AGE_SECONDS}`);
    ctx.type = 'application/jwk-set+json';
    ctx.body = text;
  });
  return router.routes() as Middleware<RequestState>;
}
