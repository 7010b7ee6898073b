import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Middleware } from 'koa';
import { createApp } from '../../../api/http/app';
import type { RequestState } from '../../../api/http/request-log';
import { AppError } from '../../../domain/errors';
import { createLogger } from '../../../platform/logger';
import { type RequestContext, requestContext } from '../../../platform/request-context';

const CANARY = 'canary-7f3a';
const ISO_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const lines: string[] = [];
const seen: RequestContext[] = [];

/** A fake operation that records the request context, and fails if the path requests this. */
const route: Middleware<RequestState> = async (ctx, next) => {
  if (!ctx.path.startsWith('/things')) return next();
  ctx.state.operationId = 'getThing';
  ctx.state.pathTemplate = '/things/{thingId}';
  ctx.state.caller = { orgId: 'or-1', userId: 'us-1', tokenId: 'to-1' } as never;
  await new Promise((resolve) => setImmediate(resolve));
  seen.push(requestContext());
  if (ctx.path === '/things/broken') throw Object.assign(new Error('a bug'), { secret: CANARY, body: { secret: CANARY } });
  if (ctx.path === '/things/refused') throw new AppError('Forbidden', 'no', { reason: CANARY });
  ctx.body = CANARY;
};

let server: Server;
beforeAll(async () => {
  const app = createApp(createLogger('api', 'info', { write: (line) => lines.push(line) }), {
    routes: [route],
    addressOf: () => '192.0.2.7',
    origins: [],
  });
  const handle = app.callback();
  server = createServer((request, response) => void handle(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
beforeEach(() => {
  lines.length = 0;
  seen.length = 0;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const call = (path: string) =>
  fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}${path}?token=${CANARY}`, {
    headers: {
      authorization: `Bearer ${CANARY}`,
      'x-request-id': CANARY,
      'x-forwarded-for': CANARY,
      cookie: CANARY,
      'user-agent': 'a-program/1.0',
      traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
    },
  });
const line = () => JSON.parse(lines[0] ?? '') as Record<string, unknown>;

test('200: one log line has operation, path template, status, time, ids, origin and the request id of the answer', async () => {
  const requestId = (await call('/things/1')).headers.get('x-request-id');
  expect(requestId).toMatch(/^[0-9a-f-]{36}$/);
  expect(lines).toHaveLength(1);
  expect(line()).toEqual({
    level: 'info',
    time: expect.stringMatching(ISO_TIME),
    role: 'api',
    msg: 'request',
    requestId,
    method: 'GET',
    path: '/things/{thingId}',
    operationId: 'getThing',
    status: 200,
    ms: expect.any(Number),
    orgId: 'or-1',
    userId: 'us-1',
    tokenId: 'to-1',
    clientAddress: '192.0.2.7',
    userAgent: 'a-program/1.0',
  });
  // Without a collector the trace of the caller is not propagated.
  expect(seen).toEqual([{ requestId }]);
});

test('500: the log line has only the code and the cause of the error', async () => {
  expect((await call('/things/broken')).status).toBe(500);
  expect(line()).toMatchObject({ msg: 'request failed', status: 500, err: { code: 'Internal', cause: { message: 'a bug' } } });
});

test('403: a refusal is not a fault of the service, so the log line does not contain an error', async () => {
  expect((await call('/things/refused')).status).toBe(403);
  expect(line()).toMatchObject({ msg: 'request', status: 403, errorCode: 'Forbidden' });
  expect(line()).not.toHaveProperty('err');
});

test('404: the log line does not contain a path with values', async () => {
  expect((await call(`/${CANARY}`)).status).toBe(404);
  expect(line()).toMatchObject({ msg: 'request', status: 404 });
});

afterEach(() => expect(lines.join('\n')).not.toContain(CANARY));
