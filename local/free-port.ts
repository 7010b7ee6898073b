import { randomInt } from 'node:crypto';
import { mkdirSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';

/** Below the ports that systems give to outgoing connections, which could take a port between this look and its use. */
const FIRST = 20_000;
const END = 32_000;
const TRIES_MAX = 100;
/** Between the look at a port and its use by whatever is started for it. */
const SPOKEN_FOR_MS = 120_000;

/** A loopback port that nobody listens on at this moment, and that nobody on this machine was given a short while ago. */
export async function freePort(): Promise<number> {
  for (let tries = 0; tries < TRIES_MAX; tries += 1) {
    const port = randomInt(FIRST, END);
    if ((await isFree(port)) && speakFor(port)) return port;
  }
  throw new Error(`no free port among ${TRIES_MAX} between ${FIRST} and ${END}`);
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer().once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}

/** Several installations that start at once would now and then be given the same port: a file of its name tells the others. */
function speakFor(port: number): boolean {
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
