import { randomInt } from 'node:crypto';
import { mkdirSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';

const FIRST = 20_000;
const END = 32_000;
const TRIES_MAX = 100;
/** A process that gets a port opens it within this time. */
const SPOKEN_FOR_MS = 120_000;

/**
 * `forbidden` means that this process has no right to open the port. `absent` means that the machine does not have the address
 * `host`, as with ::1 on a machine without IPv6.
 */
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

/** A file reserves the port, so that two starts do not get the same port. local/free-port.ts uses the same files. */
function speakFor(port) {
  const folder = join(tmpdir(), `strongroom-ports-${userInfo().uid}`);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const file = join(folder, String(port));
  try {
    writeFileSync(file, '', { flag: 'wx' });
    return true;
  } catch {
    const now = new Date();
    if (now.getTime() - statSync(file).mtimeMs < SPOKEN_FOR_MS) return false;
    utimesSync(file, now, now);
    return true;
  }
}

/** A free port that was not handed out recently, below the range for outgoing connections. */
export async function freePort() {
  for (let tries = 0; tries < TRIES_MAX; tries += 1) {
    const port = randomInt(FIRST, END);
    if ((await stateOf(port, '127.0.0.1')) === 'free' && speakFor(port)) return port;
  }
  throw new Error(`no free port among ${TRIES_MAX} between ${FIRST} and ${END}`);
}
