import { readFileSync } from 'node:fs';
import { createConnection } from 'node:net';
import { join } from 'node:path';
import { createLogger } from '../../../platform/logger';
import { inContext } from '../../../platform/request-context';
import { createSignerClient } from '../../../signer/client';
import type { CreatedKey, SignerClient } from '../../../signer/protocol';
import { FrameChannel } from '../../../signer/wire/frames';
import { startServer } from '../../../signer/wire/server';
import { keyOrder, openOperations, orderFor, temporaryFolder } from '../fixtures';

const AUTH_KEY = Buffer.alloc(32, 3);
const folder = temporaryFolder();
const socketPath = join(folder.path, 's');
const lines: string[] = [];
const logger = createLogger('signer', 'info', { write: (line) => lines.push(line) });

let operations: Awaited<ReturnType<typeof openOperations>>;
let server: Awaited<ReturnType<typeof startServer>>;
let client: SignerClient;
let created: CreatedKey;
beforeAll(async () => {
  operations = await openOperations(folder.path);
  created = await operations.createKey(keyOrder('key-1'));
  server = await startServer({ path: socketPath }, AUTH_KEY, operations, logger);
  client = createSignerClient({ socketPath, authKey: AUTH_KEY, timeoutMs: 5_000 });
});
beforeEach(() => {
  lines.length = 0;
});
afterAll(async () => {
  await client.close();
  await server.stop();
  await operations.close();
  folder.remove();
});

const logged = () => lines.map((line) => JSON.parse(line) as Record<string, unknown>);

/** Sends the message unchanged, and returns the reply. */
function replyTo(message: object): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const socket = createConnection(socketPath);
    const channel = new FrameChannel(
      'client',
      AUTH_KEY,
      (bytes) => socket.write(bytes),
      (body) => {
        socket.destroy();
        resolve(JSON.parse(body.toString('utf8')));
      },
    );
    socket.on('data', (chunk: Buffer) => channel.receive(chunk));
    socket.on('error', reject);
    channel.send(Buffer.from(JSON.stringify(message)));
  });
}

test('completed and refused orders are logged under the id of their request, and read requests are not logged', async () => {
  await inContext({ requestId: 'req-1' }, async () => {
    await client.health();
    await client.signTransfer(orderFor(created, 'xfr-1', { nonce: 1 }));
    await expect(client.signTransfer({ ...orderFor(created, 'xfr-2'), nonce: 9 })).rejects.toThrow('NonceMismatch');
  });
  expect(logged()).toMatchObject([
    { msg: 'order done', requestId: 'req-1', op: 'signTransfer', recordId: 'xfr-1', ms: expect.any(Number) },
    { msg: 'order refused', requestId: 'req-1', op: 'signTransfer', reason: 'NonceMismatch' },
  ]);
});

test('the id of a request does not change the signature and is not in the signing log', async () => {
  const order = orderFor(created, 'xfr-3', { nonce: 3 });
  const first = await inContext({ requestId: 'req-first' }, () => client.signTransfer(order));
  expect(await inContext({ requestId: 'req-again' }, () => client.signTransfer(order))).toEqual(first);
  const log = readFileSync(join(folder.path, 'journal-000001.jsonl'), 'utf8');
  expect(log).toContain('xfr-3');
  expect(log).not.toMatch(/req-(first|again)/);
});

test('a client that does not send a request id gets a reply without a duration', async () => {
  const order = orderFor(created, 'xfr-4', { nonce: 4 });
  const plain = { id: 1, ok: true, result: expect.anything() };
  expect(await replyTo({ id: 1, op: 'signTransfer', order })).toEqual(plain);
  expect(await replyTo({ id: 1, op: 'signTransfer', requestId: 'req-1', order })).toEqual({ ...plain, ms: expect.any(Number) });
});

test.each([[7], ['a\nline'], [{ deep: 1 }], ['x'.repeat(65)]])(
  'with the invalid request id %p, the order is carried out and the id is not logged',
  async (requestId) => {
    const order = orderFor(created, 'xfr-5', { nonce: 5 });
    expect(await replyTo({ id: 1, op: 'signTransfer', requestId, order })).toMatchObject({ ok: true });
    expect(logged()).toHaveLength(1);
    expect(logged()[0]).not.toHaveProperty('requestId');
  },
);
