import { randomInt } from 'node:crypto';
import { mkdirSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';

/**
 * These ports are below the range for outgoing connections. In that range a connection could take a port between the check and
 * the caller's use.
 */
const FIRST = 20_000;
const END = 32_000;
const TRIES_MAX = 100;
/** How long a port stays reserved. */
const SPOKEN_FOR_MS = 120_000;

/** Returns a free loopback port that was not handed out on this machine recently. */
export async function freePort(): Promise<number> {
  for (let tries = 0; tries < TRIES_MAX; tries += 1) {
    const port = randomInt(FIRST, END);
    if ((await isFree(port)) && speakFor(port)) return port;
  }
  throw new Error(`no free port among ${TRIES_MAX} between ${FIRST} and ${END}`);
}

/** Keeps a port of `freePort` reserved for at least `forMs`, for a caller that opens and closes the port repeatedly. */
export function keepPort(port: number, forMs: number): void {
  const until = new Date(Date.now() + forMs);
  utimesSync(join(reservations(), String(port)), until, until);
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer().once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}

/** Reserves the port with a file, because otherwise two starts at the same time could get the same port. */
function speakFor(port: number): boolean {
  const folder = reservations();
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

const reservations = () => join(tmpdir(), `strongroom-ports-${userInfo().uid}`);
