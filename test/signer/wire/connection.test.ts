import { type AddressInfo, createConnection, createServer, type Server, type Socket } from 'node:net';
import pino from 'pino';
import type { Reply } from '../../../signer/protocol';
import { serve, type WireRequest } from '../../../signer/wire/connection';
import { BODY_BYTES_MAX, FrameChannel } from '../../../signer/wire/frames';
import { waitUntil } from '../../support/wait-until';

const AUTH_KEY = Buffer.alloc(32, 3);
const LIMITS = { strangerMs: 150, messageMs: 150, unreadBytes: 200_000 };
const logger = pino({ level: 'silent' });

let server: Server;
let answer: (asked: WireRequest) => Promise<Reply | undefined>;
let authentic: number;
/** The signer's ends of the connections. */
const connections = new Set<Socket>();
beforeEach(async () => {
  authentic = 0;
  answer = async ({ envelope }) => ({ id: envelope.id, ok: true, result: 'x'.repeat(50_000) });
  const onAuthentic = () => {
    authentic += 1;
  };
  server = createServer({ allowHalfOpen: true }, (socket) => {
    connections.add(socket);
    socket.on('close', () => connections.delete(socket));
    serve(socket, { authKey: AUTH_KEY, logger, answer: (asked) => answer(asked), onAuthentic }, LIMITS);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
afterEach(() => {
  for (const socket of connections) socket.destroy();
  return new Promise((resolve) => server.close(resolve));
});

/** A caller that has the authentication key. */
async function caller() {
  const { port } = server.address() as AddressInfo;
  const socket: Socket = createConnection(port, '127.0.0.1').on('error', () => undefined);
  let isEnded = false;
  socket.on('close', () => {
    isEnded = true;
  });
  const held: Buffer[] = [];
  let holds = false;
  let heard = 0;
  const channel = new FrameChannel(
    'client',
    AUTH_KEY,
    (bytes) => (holds ? held.push(bytes) : socket.write(bytes)),
    () => {
      heard += 1;
    },
  );
  const greeted = new Promise((resolve) => socket.once('data', resolve));
  socket.on('data', (chunk: Buffer) => channel.receive(chunk));
  await greeted;
  let id = 0;
  return {
    socket,
    heard: () => heard,
    isEnded: () => isEnded,
    ask() {
      id += 1;
      channel.send(Buffer.from(JSON.stringify({ id, op: 'health' })));
    },
    /** The bytes of a message that is not sent. */
    message() {
      holds = true;
      this.ask();
      holds = false;
      return Buffer.concat(held.splice(0));
    },
  };
}

test('a caller that sends only its greeting is disconnected', async () => {
  const { socket, isEnded } = await caller();
  await waitUntil('the end', isEnded);
  expect([socket.bytesRead, authentic]).toEqual([32, 0]);
});

test('a caller that sends a message byte by byte is disconnected', async () => {
  const slow = await caller();
  slow.ask();
  await waitUntil('the answer', () => slow.heard() === 1);
  const bytes = slow.message();
  let at = 0;
  const dripping = setInterval(() => {
    if (slow.socket.writable && at < bytes.length) slow.socket.write(bytes.subarray(at, at + 1));
    at += 1;
  }, 20);
  await waitUntil('the end', slow.isEnded);
  clearInterval(dripping);
  expect(slow.heard()).toBe(1);
});

test('half a message after a whole message has its own time limit', async () => {
  const slow = await caller();
  const [first, second] = [slow.message(), slow.message()];
  slow.socket.write(Buffer.concat([first, second.subarray(0, 50)]));
  await waitUntil('the answer', () => slow.heard() === 1);
  slow.socket.write(second.subarray(50));
  await waitUntil('the answer', () => slow.heard() === 2);
  expect(slow.isEnded()).toBe(false);
  slow.socket.destroy();
});

test('a caller that has proved the key may be silent without a time limit', async () => {
  const quiet = await caller();
  quiet.ask();
  await waitUntil('the answer', () => quiet.heard() === 1);
  const stranger = await caller();
  await waitUntil('the end', stranger.isEnded);
  quiet.ask();
  await waitUntil('the answer', () => quiet.heard() === 2);
  expect(authentic).toBe(1);
  quiet.socket.destroy();
});

test('a message of the maximum size in many small pieces costs little processor time', async () => {
  const { socket, isEnded } = await caller();
  const length = Buffer.alloc(4);
  length.writeUInt32BE(BODY_BYTES_MAX);
  const begun = process.cpuUsage();
  socket.write(length);
  for (let at = 0; at < 20_000; at += 1) socket.write(Buffer.alloc(1));
  await waitUntil('the end', isEnded);
  expect(process.cpuUsage(begun).user / 1_000).toBeLessThan(3_000);
});

test('a caller that does not read its replies is disconnected before the replies fill the memory', async () => {
  const deaf = await caller();
  deaf.socket.pause();
  let asked = 0;
  const ask = () => {
    for (let count = 0; count < 10 && deaf.socket.writable; count += 1) deaf.ask();
    asked += 10;
    return connections.size === 0;
  };
  await waitUntil('the end', ask);
  expect(asked).toBeLessThan(2_000);
});

test('an order can detect that its caller has disconnected', async () => {
  let asked: WireRequest | undefined;
  answer = (given) => {
    asked = given;
    return Promise.resolve(undefined);
  };
  const gone = await caller();
  gone.ask();
  await waitUntil('the order', () => asked !== undefined);
  expect(asked?.isGone()).toBe(false);
  gone.socket.resetAndDestroy();
  await waitUntil('the end', () => asked?.isGone() === true);
});
