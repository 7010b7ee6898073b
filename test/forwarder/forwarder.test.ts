import { once } from 'node:events';
import { statSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { connect, createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { startForwarder, type TUNNEL_LIMITS } from '../../forwarder/forwarder';
import { createLogger } from '../../platform/logger';
import { temporaryFolder } from '../signer/fixtures';
import { waitUntil } from '../support/wait-until';

const folder = temporaryFolder();
const socketPath = join(folder.path, 'f');
const logger = createLogger('forwarder', 'silent');
/** A target that returns every byte. */
const echo = createServer((socket: Socket) => {
  socket.on('error', () => undefined);
  socket.pipe(socket);
});
let port: number;
let forwarder: Awaited<ReturnType<typeof startForwarder>> | undefined;
beforeAll(async () => {
  echo.listen(0, '127.0.0.1');
  await once(echo, 'listening');
  port = (echo.address() as AddressInfo).port;
});
afterEach(async () => {
  await forwarder?.close();
});
afterAll(() => {
  echo.close();
  folder.remove();
});

const start = async (limits: Partial<typeof TUNNEL_LIMITS> = {}) => {
  forwarder = await startForwarder({ socketPath, targets: [`127.0.0.1:${port}`, '127.0.0.1:1'], logger, limits });
  return forwarder;
};

/** Sends these texts, and collects the reply until the other side ends the connection. */
function talk(...words: string[]) {
  const socket = connect(socketPath);
  const said = { text: '', ended: false };
  socket.on('error', () => undefined);
  socket.on('close', () => {
    said.ended = true;
  });
  socket.on('data', (chunk) => {
    said.text += chunk.toString('latin1');
  });
  for (const word of words) socket.write(word);
  return { socket, said };
}
const ask = (target: string, method = 'CONNECT') => talk(`${method} ${target} HTTP/1.1\r\nHost: ${target}\r\n\r\n`);
const answered = ({ said }: ReturnType<typeof talk>) => waitUntil('an answer', () => said.text.includes('\r\n\r\n') && said.text);
const ended = async ({ said }: ReturnType<typeof talk>) => {
  await waitUntil('the end', () => said.ended);
  return said.text;
};

test('a target on the list is reached, and bytes pass unchanged in both directions', async () => {
  await start();
  const tunnel = ask(`127.0.0.1:${port}`);
  expect(await answered(tunnel)).toMatch(/^HTTP\/1\.1 200 /);
  tunnel.socket.write('\x16\x03 anything');
  await waitUntil('the echo', () => tunnel.said.text.endsWith('\x16\x03 anything'));
  tunnel.socket.destroy();
  await waitUntil('the tunnel to be gone', () => forwarder?.tunnels() === 0);
});

test.each([
  ['an address that is not on the list', () => ask('169.254.169.254:80'), /403/],
  ['a different port of an address on the list', () => ask('127.0.0.1:22'), /403/],
  ['a request that is not a tunnel', () => ask(`http://127.0.0.1:${port}/`, 'GET'), /405/],
  ['a target that cannot be reached', () => ask('127.0.0.1:1'), /502/],
  [
    'bytes that arrive before the tunnel is open',
    () => talk(`CONNECT 127.0.0.1:${port} HTTP/1.1\r\nHost: x\r\n\r\nGET / HTTP/1.1\r\n\r\n`),
    /400/,
  ],
  ['a head that is too long', () => talk(`CONNECT x HTTP/1.1\r\nx: ${'y'.repeat(4_200)}`), /431/],
  ['a head that never ends', () => talk('CONNECT x HTTP/1.1\r\n'), /408/],
])('refused: %s', async (_what, open, status) => {
  await start();
  expect(await ended(open())).toMatch(status);
  expect(forwarder?.tunnels()).toBe(0);
});

test('a tunnel ends if it carries too many bytes, is open for too long or is idle', async () => {
  for (const limits of [{ bytes: 1_000 }, { lifeMs: 200 }, { idleMs: 200 }]) {
    await start(limits);
    const tunnel = ask(`127.0.0.1:${port}`);
    await answered(tunnel);
    if ('bytes' in limits) tunnel.socket.write('x'.repeat(2_000));
    await ended(tunnel);
    await forwarder?.close();
  }
});

test('no more tunnels than the limit are open at once', async () => {
  await start({ atOnce: 1 });
  const first = ask(`127.0.0.1:${port}`);
  await answered(first);
  expect(await ended(ask(`127.0.0.1:${port}`))).toMatch(/503/);
  first.socket.destroy();
  await waitUntil('the place to be free', () => forwarder?.tunnels() === 0);
  expect(await answered(ask(`127.0.0.1:${port}`))).toMatch(/200/);
});

test('only the owner and the group can open the socket', async () => {
  await start();
  expect(statSync(socketPath).mode & 0o777).toBe(0o660);
});
