import Router from '@koa/router';
import type { Middleware } from 'koa';
import type { Logger } from '../platform/logger';
import type { RequestState } from './http/request-log';

/** A part that the service needs, by the name an operator knows it by; `check` throws while it is not ready. */
export type Dependency = { readonly name: string; readonly check: () => Promise<unknown> };

const CHECK_LIMIT_MS = 3_000;

/** `/health/live` says that the process runs; `/health/ready` that it can work, or the names of what is missing (503). */
export function healthRoutes(dependencies: readonly Dependency[], logger: Logger): Middleware<RequestState> {
  const router = new Router<RequestState>();
  router.get('/health/live', (ctx) => {
    ctx.body = { status: 'live' };
  });
  router.get('/health/ready', async (ctx) => {
    const faults = await Promise.all(dependencies.map((dependency) => faultOf(dependency, logger)));
    const notReady = faults.flatMap((name) => (name === undefined ? [] : [name]));
    ctx.status = notReady.length === 0 ? 200 : 503;
    ctx.body = notReady.length === 0 ? { status: 'ready' } : { status: 'not ready', notReady };
  });
  return router.routes() as Middleware<RequestState>;
}

async function faultOf({ name, check }: Dependency, logger: Logger): Promise<string | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const tooLate = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer within ${CHECK_LIMIT_MS} ms`)), CHECK_LIMIT_MS);
  });
  try {
    await Promise.race([check(), tooLate]);
    return undefined;
  } catch (error) {
    logger.warn({ err: error, dependency: name }, 'not ready');
    return name;
  } finally {
    clearTimeout(timer);
  }
}
