import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

const FIRST = 20_000;
const END = 32_000;
const TRIES_MAX = 100;

/** `free`, `taken`, or `absent` when this machine has no such address (a container without IPv6 has no ::1). */
export function stateOf(port, host) {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', (error) => {
      if (error.code === 'EADDRINUSE') resolve('taken');
      else if (error.code === 'EACCES') resolve('forbidden');
      else if (error.code === 'EADDRNOTAVAIL' || error.code === 'EAFNOSUPPORT') resolve('absent');
      else reject(error);
    });
    server.listen({ port, host, exclusive: true }, () => server.close(() => resolve('free')));
  });
}

/** A loopback port that is free now, below those that systems give to outgoing connections. */
export async function freePort() {
  for (let tries = 0; tries < TRIES_MAX; tries += 1) {
    const port = randomInt(FIRST, END);
    if ((await stateOf(port, '127.0.0.1')) === 'free') return port;
  }
  throw new Error(`no free port among ${TRIES_MAX} between ${FIRST} and ${END}`);
}
