import { statSync } from 'node:fs';
import { createConnection, createServer } from 'node:net';
import { join } from 'node:path';
import pino from 'pino';
import { createSignerClient } from '../../signer/client';
import type { CreatedKey, SignerClient } from '../../signer/protocol';
import { FrameChannel } from '../../signer/wire/frames';
import { type Operations, startServer } from '../../signer/wire/server';
import { keyOrder, openOperations, orderFor, temporaryFolder } from './fixtures';

const AUTH_KEY = Buffer.alloc(32, 3);
const folder = temporaryFolder();
const socketPath = join(folder.path, 's');
const logger = pino({ level: 'silent' });
const unavailable = { code: 'SignerUnavailable', retryable: true };

let operations: Awaited<ReturnType<typeof openOperations>>;
let server: Awaited<ReturnType<typeof startServer>>;
let client: SignerClient;
let created: CreatedKey;

const serve = (changes: Partial<Operations> = {}) =>
  startServer({ path: socketPath }, AUTH_KEY, { ...operations, ...changes }, logger);

beforeAll(async () => {
  operations = await openOperations(folder.path);
  created = await operations.createKey(keyOrder('key-1'));
});
beforeEach(async () => {
  server = await serve();
  client = createSignerClient({ socketPath, authKey: AUTH_KEY, timeoutMs: 5_000 });
});
afterEach(async () => {
  await client.close();
  await server.stop();
});
afterAll(async () => {
  await operations.close();
  folder.remove();
});

test('each of many simultaneous requests gets its own reply', async () => {
  const answers = await Promise.all([
    client.health(),
    client.createKey(keyOrder('key-1')),
    ...[1, 2, 3].map((nonce) => client.signTransfer(orderFor(created, `xfr-${nonce}`, { nonce }))),
  ]);
  expect(answers[0]).toMatchObject({ journalEntries: 1 });
  expect(answers[1]).toEqual(created);
  expect(new Set(answers.slice(2).map((answer) => JSON.stringify(answer))).size).toBe(3);
});

test('the signer counts orders by outcome, does not count read requests, and does not report any organisation', async () => {
  const order = orderFor(created, 'xfr-20', { nonce: 20 });
  await client.health();
  await client.signTransfer(order);
  await expect(client.signTransfer({ ...order, nonce: 21 })).rejects.toMatchObject({ details: { reason: 'NonceMismatch' } });
  await expect(client.signTransfer({ ...order, feeCeilingUnits: '-1' })).rejects.toMatchObject({
    details: { reason: 'MalformedOrder' },
  });
  const stats = await client.stats();
  expect(stats).toEqual({
    journalEntries: operations.keyLog.size,
    arithmetic: 'portable',
    logEntries: operations.log.size,
    orders: [
      { op: 'signTransfer', outcome: 'Done', count: 1, seconds: expect.any(Number) },
      { op: 'signTransfer', outcome: 'NonceMismatch', count: 1, seconds: expect.any(Number) },
      { op: 'unknown', outcome: 'MalformedOrder', count: 1, seconds: expect.any(Number) },
    ],
    waiting: 0,
    running: 0,
    waitedSeconds: expect.any(Number),
  });
});

test('the signer reports the free space of its state folder, and no certificate if it listens on a socket', async () => {
  const { stateFreeBytes, stateBytes, certificate } = await client.resources();
  expect(stateFreeBytes).toBeGreaterThan(0);
  expect(stateBytes).toBeGreaterThan(stateFreeBytes);
  expect(certificate).toBeNull();
  expect((await client.stats()).orders.map(({ op }) => op)).not.toContain('resources');
});

test('the signer returns an anchor over its socket, and does not include the request in its count of orders', async () => {
  const { anchor } = await client.anchor();
  expect(anchor).toMatch(/^anchor1\.[!-~]+$/);
  expect((await client.stats()).orders.map(({ op }) => op)).not.toContain('anchor');
});

test('the socket is for its owner and group only', () => {
  expect(statSync(socketPath).mode & 0o777).toBe(0o660);
});

test('a refusal is final and states whether something was signed before', async () => {
  const order = orderFor(created, 'xfr-10', { nonce: 10 });
  const wrong = { ...order, nonce: 11 };
  const refused = { code: 'SignerRefused', retryable: false };
  await expect(client.signTransfer(wrong)).rejects.toMatchObject({
    ...refused,
    details: { reason: 'NonceMismatch', nothingSigned: true },
  });
  await client.signTransfer(order);
  await expect(
    client.signTransfer(orderFor(created, 'xfr-11', { nonce: 10, intent: { amountUnits: 1n } })),
  ).rejects.toMatchObject({
    ...refused,
    details: { reason: 'NonceSignedAlready', nothingSigned: false },
  });
});

test('an order that comes too late is refused as retryable', async () => {
  const late = { ...orderFor(created, 'xfr-12', { nonce: 12 }), issuedAt: '2020-01-01T00:00:00.000Z' };
  await expect(client.signTransfer(late)).rejects.toMatchObject({ ...unavailable, details: { reason: 'ClockDrift' } });
});

test.each<[string, object]>([
  ['an additional member', { extra: 1 }],
  ['an amount with a sign', { feeCeilingUnits: '-1' }],
  ['an amount of 79 digits', { feeCeilingUnits: '9'.repeat(79) }],
  ['bytes of odd length', { bytesHex: '0x123' }],
  ['a nonce that is not an integer', { nonce: 1.5 }],
  ['an invalid time', { issuedAt: 'yesterday' }],
])('an order with %s is refused as malformed', async (_what, changes) => {
  const order = Object.assign(orderFor(created, 'xfr-13', { nonce: 13 }), changes);
  await expect(client.signTransfer(order)).rejects.toMatchObject({
    code: 'SignerRefused',
    details: { reason: 'MalformedOrder' },
  });
});

test('a client with a wrong authentication key is not served', async () => {
  const stranger = createSignerClient({ socketPath, authKey: Buffer.alloc(32, 4), timeoutMs: 5_000 });
  await expect(stranger.health()).rejects.toMatchObject(unavailable);
  await stranger.close();
  await expect(client.health()).resolves.toBeDefined();
});

test('a connection that sends rubbish is closed, and other connections stay open', async () => {
  await client.health();
  const socket = createConnection(socketPath);
  const ended = new Promise((resolve) => socket.once('close', resolve));
  socket.on('error', () => undefined);
  socket.resume().write(Buffer.alloc(200, 0xff));
  await ended;
  await expect(client.health()).resolves.toBeDefined();
});

test('an authenticated message that is not a request ends its connection', async () => {
  const socket = createConnection(socketPath);
  const ended = new Promise((resolve) => socket.once('close', resolve));
  const channel = new FrameChannel(
    'client',
    AUTH_KEY,
    (bytes) => socket.write(bytes),
    () => undefined,
  );
  socket.on('data', (chunk: Buffer) => channel.receive(chunk));
  channel.send(Buffer.from('not json'));
  await ended;
});

test('the client reconnects to a signer that was restarted', async () => {
  await client.health();
  await server.stop();
  await expect(client.health()).rejects.toMatchObject(unavailable);
  server = await serve();
  await expect(client.health()).resolves.toBeDefined();
});

test('a server that is stopping still replies to a request that it is processing', async () => {
  await server.stop();
  let begun: () => void = () => undefined;
  let finish: (created: CreatedKey) => void = () => undefined;
  const beginning = new Promise<void>((resolve) => {
    begun = resolve;
  });
  server = await serve({
    createKey: () => {
      begun();
      return new Promise((resolve) => {
        finish = resolve;
      });
    },
  });
  const answer = client.createKey(keyOrder('key-1'));
  await beginning;
  const stopped = server.stop();
  finish(created);
  expect(await answer).toEqual(created);
  await stopped;
  server = await serve();
});

test('an internal fault reaches the client as a code, without its message', async () => {
  await server.stop();
  server = await serve({ signTransfer: () => Promise.reject(new Error('secret 0101')) });
  const error: unknown = await client.signTransfer(orderFor(created, 'xfr-14', { nonce: 14 })).catch((thrown: unknown) => thrown);
  expect(error).toMatchObject(unavailable);
  expect(String(error)).not.toContain('0101');
});

test('after the time limit the client gives up on a signer that does not reply', async () => {
  const path = join(folder.path, 'mute');
  const mute = createServer((socket) => socket.resume());
  await new Promise<void>((resolve) => mute.listen(path, resolve));
  const impatient = createSignerClient({ socketPath: path, authKey: AUTH_KEY, timeoutMs: 50 });
  await expect(impatient.health()).rejects.toMatchObject({ ...unavailable, message: expect.stringContaining('50 ms') });
  await impatient.close();
  await new Promise((resolve) => mute.close(resolve));
});

test('the client reports a missing signer as unavailable', async () => {
  const lonely = createSignerClient({ socketPath: join(folder.path, 'nobody'), authKey: AUTH_KEY, timeoutMs: 5_000 });
  await expect(lonely.health()).rejects.toMatchObject(unavailable);
  await lonely.close();
});
