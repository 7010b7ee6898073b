import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
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

async function ask(path: string, checks: Checks): Promise<{ readonly status: number; readonly body: unknown }> {
  server = await serveHealth({ checks, host: '127.0.0.1', port: 0, logger: createLogger('test', 'silent') });
  const answer = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`);
  return { status: answer.status, body: await answer.json() };
}

test('ready when every part is', async () => {
  expect(await ask('/health/ready', { database: ready, signer: ready })).toEqual({ status: 200, body: { status: 'ready' } });
});

test('whatever is not ready is named, and nothing of why', async () => {
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

test('live says that the process runs, whatever its parts do', async () => {
  expect(await ask('/health/live', { database: () => Promise.reject(new Error()) })).toEqual({
    status: 200,
    body: { status: 'live' },
  });
});

test('nothing else is served', async () => {
  expect((await ask('/health', {})).status).toBe(404);
});
