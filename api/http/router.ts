import { Readable } from 'node:stream';
import Router from '@koa/router';
import type { Middleware } from 'koa';
import type { Services } from '../../application/services';
import { AppError } from '../../domain/errors';
import { fieldFault } from '../../domain/field-faults';
import { type Answer, asJsonString } from './answer';
import type { AuthServices } from './auth-services';
import { commitmentOf } from './commitments';
import { type Operation, templateOf } from './operation';
import { perform } from './perform';
import type { RequestState } from './request-log';

/** A path that begins with `/v2` is also served without `/v2`. */
const pathsOf = ({ path }: Operation): string[] => (path.startsWith('/v2/') ? [path, path.slice('/v2'.length)] : [path]);

const JSON_TYPE = 'application/json';

/** Accepts a trailing slash and never redirects, because a redirected POST becomes a GET. */
const routerOptions = { strict: false, sensitive: true } as const;

/**
 * A request with an unknown path goes to the next middleware. For a known path with an unsupported method, the response has
 * status 405, or 204 for `OPTIONS`.
 */
export function routeOperations(operations: readonly Operation[], services: Services & AuthServices): Middleware<RequestState> {
  const { router, byName } = matcherOf(operations);
  const serve = async (ctx: Parameters<Middleware<RequestState>>[0], operation: Operation, params: Record<string, string>) => {
    ctx.state.operationId = operation.id;
    ctx.state.pathTemplate = templateOf(operation);
    const { req: request, path, query } = ctx;
    const passage = services.rateLimits.passage(operation, ctx.state.address);
    try {
      await passage.arrive();
      const answer = await perform(
        operation,
        services,
        { request, path, params, query, prefersJson: (type) => ctx.accepts(type, JSON_TYPE) === JSON_TYPE },
        {
          onCaller: (caller) => {
            ctx.state.caller = caller;
            passage.known(caller);
          },
          onStranger: passage.named,
        },
      );
      ctx.status = answer.status;
      ctx.set(answer.headers);
      writeText(ctx, answer);
    } finally {
      ctx.set(passage.headers());
    }
  };

  return async (ctx, next) => {
    assertDecodable(ctx.path);
    const { path, pathAndMethod } = router.match(ctx.path, ctx.method);
    const [layer] = pathAndMethod;
    const operation = byName.get(layer?.name ?? '');
    if (layer && operation) return serve(ctx, operation, layer.params(ctx.path, layer.captures(ctx.path)));
    if (path.length === 0) return next();
    const allowed = [...new Set(path.flatMap(({ methods }) => methods))].sort().join(', ');
    ctx.set('Allow', allowed);
    if (ctx.method !== 'OPTIONS')
      throw new AppError('MethodNotAllowed', `${ctx.method} is not allowed here; allowed are ${allowed}`);
    ctx.status = 204;
  };
}

function writeText(ctx: Parameters<Middleware<RequestState>>[0], { type, text }: Answer): void {
  // Without an Accept header the text is sent as it is.
  const wantsJson = type !== JSON_TYPE && ctx.accepts(type, JSON_TYPE) === JSON_TYPE;
  const written = wantsJson ? asJsonString(text) : text;
  ctx.body = typeof written === 'string' ? written : Readable.from(written);
  ctx.type = wantsJson ? JSON_TYPE : type;
}

/** The returned function returns undefined if no operation matches. */
export function operationFinder(operations: readonly Operation[]): AuthServices['findOperation'] {
  const { router, byName } = matcherOf(operations);
  return (method, path) => byName.get(router.match(path, method).pathAndMethod[0]?.name ?? '');
}

/** The returned function finds the data to which a user action must commit in addition to its request (S2). */
export function commitments(operations: readonly Operation[]): AuthServices['commitmentOf'] {
  const committing = operations.filter((operation) => operation.access === undefined && operation.commitment !== undefined);
  const { router, byName } = matcherOf(committing);
  return async (reader, { method, path, payload }) => {
    const [layer] = router.match(path, method).pathAndMethod;
    const operation = byName.get(layer?.name ?? '');
    if (!layer || operation?.access !== undefined) return undefined;
    return operation && commitmentOf(operation, reader, layer.params(path, layer.captures(path)), Buffer.from(payload));
  };
}

/**
 * The name of the matching route is the id of the operation. The router does not run a handler, because the path would then
 * have to be matched a second time.
 */
function matcherOf(operations: readonly Operation[]) {
  const router = new Router(routerOptions);
  const byName = new Map<string, Operation>();
  for (const operation of operations) {
    byName.set(operation.id, operation);
    for (const path of pathsOf(operation)) router.register(path, [operation.method], () => undefined, { name: operation.id });
  }
  return { router, byName };
}

function assertDecodable(path: string): void {
  try {
    decodeURIComponent(path);
  } catch (error) {
    throw fieldFault('path', 'is not percent-encoded UTF-8', { cause: error });
  }
}
