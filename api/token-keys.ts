import Router from '@koa/router';
import type { Middleware } from 'koa';
import type { TokenKeys } from '../platform/token-keys';
import type { RequestState } from './http/request-log';

/**
 * Clients may cache the set of keys for this time. So the operator must publish a new key, and wait longer than this time,
 * before the key signs tokens.
 */
const AGE_SECONDS = 300;

/** Serves a JSON Web Key Set (RFC 7517). */
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
