import { chmodSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { createServer, type IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import type { Duplex } from 'node:stream';
import type { Logger } from '../platform/logger';

/** `atOnce` limits the open tunnels. The other limits apply to each tunnel. */
export const TUNNEL_LIMITS = { bytes: 1_048_576, lifeMs: 600_000, idleMs: 60_000, connectMs: 5_000, atOnce: 32 };
type Limits = typeof TUNNEL_LIMITS;

const HEAD_BYTES_MAX = 4_096;
const HEAD_LIMIT_MS = 2_000;
const CHECK_MS = 500;

type Options = {
  readonly socketPath: string;
  readonly targets: readonly string[];
  readonly logger: Logger;
  readonly limits?: Partial<Limits>;
};

/** Only the owner and the group of the socket can connect. */
export async function startForwarder({ socketPath, targets, logger, limits: given }: Options) {
  const limits: Limits = { ...TUNNEL_LIMITS, ...given };
  const open = new Set<Duplex>();
  const bounds = { maxHeaderSize: HEAD_BYTES_MAX, headersTimeout: HEAD_LIMIT_MS, requestTimeout: HEAD_LIMIT_MS };
  const server = createServer({ ...bounds, connectionsCheckingInterval: CHECK_MS }, (_request, response) => {
    response.writeHead(405, { connection: 'close' }).end();
  });

  server.on('connect', (request: IncomingMessage, client: Duplex, early: Buffer) => {
    client.on('error', () => client.destroy());
    const refuse = (status: string, reason: string) => {
      logger.warn({ reason }, 'a tunnel was refused');
      client.end(`HTTP/1.1 ${status}\r\nConnection: close\r\n\r\n`);
    };
    const target = (request.url ?? '').toLowerCase();
    if (!targets.includes(target)) return refuse('403 Forbidden', 'not one of the targets');
    if (open.size >= limits.atOnce) return refuse('503 Service Unavailable', 'too many tunnels at once');
    // A client must not send anything before the reply: bytes after the request could be a smuggled second request.
    if (early.length > 0) return refuse('400 Bad Request', 'bytes before the tunnel was open');
    open.add(client);
    const [host = '', port = ''] = target.split(':');
    carry(client, { host, port: Number(port) }, limits, refuse, () => open.delete(client));
  });

  // An existing socket file belongs to a process that has ended, and prevents listening.
  await rm(socketPath, { force: true });
  const mask = process.umask(0o117);
  try {
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(socketPath, resolve);
    });
  } finally {
    process.umask(mask);
  }
  chmodSync(socketPath, 0o660);
  return {
    tunnels: () => open.size,
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
        for (const client of open) client.destroy();
      }),
  };
}

type Target = { readonly host: string; readonly port: number };
type Refuse = (status: string, reason: string) => void;

function carry(client: Duplex, target: Target, limits: Limits, refuse: Refuse, onEnd: () => void): void {
  const upstream = connect(target);
  let carried = 0;
  let isOpen = false;
  const end = () => {
    clearTimeout(late);
    upstream.destroy();
    if (isOpen) client.destroy();
    onEnd();
  };
  const late = setTimeout(() => upstream.destroy(new Error('too slow')), limits.connectMs);
  upstream.on('error', () => undefined); // the event 'close' follows and ends the tunnel
  upstream.on('close', () => {
    if (!isOpen) refuse('502 Bad Gateway', 'the target cannot be reached');
    end();
  });
  client.on('close', end);
  upstream.once('connect', () => {
    clearTimeout(late);
    isOpen = true;
    const over = setTimeout(end, limits.lifeMs);
    upstream.once('close', () => clearTimeout(over));
    upstream.setTimeout(limits.idleMs, end);
    client.write('HTTP/1.1 200 Connection Established\r\n\r\n');
    for (const [from, to] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      from.on('data', (chunk: Buffer) => {
        carried += chunk.length;
        if (carried > limits.bytes) return end();
        if (to.writable) to.write(chunk);
      });
      from.on('end', () => to.end());
    }
  });
}
