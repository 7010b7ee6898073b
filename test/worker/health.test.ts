import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { DeploymentFreeze } from '../../domain/deployment-freeze';
import { createLogger } from '../../platform/logger';
import { serveHealth } from '../../worker/health';

let server: Server | undefined;
afterEach(async () => {
  server?.closeAllConnections();
  server?.close();
  if (server) await once(server, 'close');
  server = undefined;
});

type Checks = Readonly<Record<string, () => Promise<unknown>>>;
const ready = async () => undefined;

async function ask(
  path: string,
  checks: Checks,
  standing: () => Promise<DeploymentFreeze | null> = async () => null,
): Promise<{ readonly status: number; readonly body: unknown }> {
  server = await serveHealth({
    checks,
    freeze: { standing },
    host: '127.0.0.1',
    port: 0,
    logger: createLogger('test', 'silent'),
  });
  const answer = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`);
  return { status: answer.status, body: await answer.json() };
}

test('the worker is ready when every part is ready', async () => {
  expect(await ask('/health/ready', { database: ready, signer: ready })).toEqual({ status: 200, body: { status: 'ready' } });
});

test('each part that is not ready is named, without the reason', async () => {
  const checks = {
    database: ready,
    signer: () => Promise.reject(new Error('canary')),
    'network A': () => Promise.reject(new Error()),
  };
  expect(await ask('/health/ready', checks)).toEqual({
    status: 503,
    body: { status: 'not ready', notReady: ['signer', 'network A'] },
  });
});

test('a part that never answers is not ready, and the answer does not wait for it', async () => {
  expect(await ask('/health/ready', { database: ready, signer: () => new Promise(() => undefined) })).toEqual({
    status: 503,
    body: { status: 'not ready', notReady: ['signer'] },
  });
});

test('a frozen deployment is ready and reports why it is frozen', async () => {
  const since = new Date('2026-01-02T03:04:05.678Z');
  expect(
    await ask('/health/ready', { database: ready }, async () => ({ kind: 'Operator', reason: 'It looks wrong', since })),
  ).toEqual({
    status: 200,
    body: { status: 'ready', frozen: { kind: 'Operator', reason: 'It looks wrong', since: since.toISOString() } },
  });
});

test('a process that cannot read whether the deployment is frozen is not ready', async () => {
  expect(await ask('/health/ready', { database: ready }, () => Promise.reject(new Error('canary')))).toEqual({
    status: 503,
    body: { status: 'not ready', notReady: ['freeze'] },
  });
});

test('the live check reports that the process runs, whatever the state of its parts', async () => {
  expect(await ask('/health/live', { database: () => Promise.reject(new Error()) })).toEqual({
    status: 200,
    body: { status: 'live' },
  });
});

test('nothing else is served', async () => {
  expect((await ask('/health', {})).status).toBe(404);
});
