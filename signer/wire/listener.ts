import { chmodSync } from 'node:fs';
import { unlink } from 'node:fs/promises';
import { createServer, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer, type TLSSocket } from 'node:tls';
import type { Logger } from '../../platform/logger';
import type { SignerPlace, TcpPlace } from '../../platform/signer-place';
import { errorCode } from '../error-code';
import { isNamed, readCredentials, TLS_RULES } from './tls';

const CONNECTIONS_MAX = 64;
/**
 * A stranger is a caller that has not yet proved knowledge of the key. If one more stranger connects, the listener disconnects
 * the oldest stranger.
 */
const STRANGERS_MAX = 16;
const HANDSHAKE_TIMEOUT_MS = 5_000;
const RELOAD_MS = 60_000;
/** The longest delay of a Node timer; a timer with a longer delay would fire at once. */
const TIMER_MS_MAX = 2 ** 31 - 1;

type Listening = { readonly address: ReturnType<Server['address']>; readonly stop: () => Promise<void> };
type Serve = (socket: Socket, onAuthentic: () => void) => () => void;

const nameOf = (socket: Socket) => `${socket.remoteAddress} ${socket.remotePort}`;

/** Undefined if the session is new, and the certificate is from our authority and has an allowed name. */
function faultOf(socket: TLSSocket, names: readonly string[]): string | undefined {
  const certificate = socket.getPeerX509Certificate();
  if (!socket.authorized || !certificate) return 'it shows no certificate';
  // A resumed session would skip the certificate, which may have expired since the first session.
  if (socket.isSessionReused()) return 'it resumes an earlier session';
  return isNamed(certificate, names) ? undefined : 'its certificate has none of the allowed names';
}

function endWithCertificate(socket: TLSSocket, finish: () => void): void {
  const validTo = Date.parse(socket.getPeerX509Certificate()?.validTo ?? '');
  const timer = setTimeout(finish, Math.min(Math.max(validTo - Date.now(), 0), TIMER_MS_MAX));
  socket.once('close', () => clearTimeout(timer));
}

function createTls({ tls }: TcpPlace, onSocket: (socket: TLSSocket) => void, logger: Logger, reloadMs: number): Server {
  let credentials = readCredentials(tls);
  const options = { ...TLS_RULES, requestCert: true, handshakeTimeout: HANDSHAKE_TIMEOUT_MS, allowHalfOpen: true };
  const server = createTlsServer({ ...options, ...credentials }, (socket) => {
    const fault = faultOf(socket, tls.names);
    if (!fault) return onSocket(socket);
    logger.warn(`connection refused: ${fault}`);
    socket.destroy();
  });
  server.on('tlsClientError', () => logger.warn('connection refused: no TLS 1.3 handshake with a certificate of our authority'));
  const reload = setInterval(() => {
    try {
      const fresh = readCredentials(tls);
      if (fresh.cert.equals(credentials.cert) && fresh.key.equals(credentials.key) && fresh.ca.equals(credentials.ca)) return;
      server.setSecureContext({ ...TLS_RULES, ...fresh });
      credentials = fresh;
      logger.info('new certificates are in use');
    } catch {
      logger.warn('the new certificates cannot be used: the previous ones stay in use');
    }
  }, reloadMs);
  reload.unref();
  server.once('close', () => clearInterval(reload));
  return server;
}

async function listen(server: Server, place: SignerPlace): Promise<void> {
  const listening = (options: { path: string } | { host: string; port: number }) =>
    new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(options, resolve);
    });
  if ('host' in place) return listening({ host: place.host, port: place.port });
  await unlink(place.path).catch((error: unknown) => {
    if (errorCode(error) !== 'ENOENT') throw error;
  });
  // Before chmod, the umask of the process decides the mode of the socket. This umask already gives the intended mode.
  const mask = process.umask(0o117);
  try {
    await listening({ path: place.path });
  } finally {
    process.umask(mask);
  }
  chmodSync(place.path, 0o660);
}

/** The caller owns the state folder, so an existing socket file belongs to no live signer and is replaced. */
export async function openListener(
  place: SignerPlace,
  serve: Serve,
  logger: Logger,
  { graceMs, reloadMs = RELOAD_MS }: { readonly graceMs: number; readonly reloadMs?: number },
): Promise<Listening> {
  const connections = new Map<Socket, () => void>();
  /**
   * A TLS connection has one socket object before the handshake and another socket object afterwards. So over TCP the key is
   * the remote address.
   */
  const strangers = new Map<string | Socket, Socket>();
  const keyOf = (socket: Socket) => ('host' in place ? nameOf(socket) : socket);

  const onRaw = (socket: Socket) => {
    const key = keyOf(socket);
    strangers.set(key, socket);
    socket.on('close', () => strangers.get(key) === socket && strangers.delete(key));
    const [oldest] = strangers.values();
    if (strangers.size > STRANGERS_MAX) oldest?.destroy();
  };
  const onSocket = (socket: Socket) => {
    const key = keyOf(socket);
    const finish = serve(socket, () => strangers.delete(key));
    connections.set(socket, finish);
    socket.on('close', () => connections.delete(socket));
    return finish;
  };

  const server =
    'host' in place
      ? createTls(place, (socket) => endWithCertificate(socket, onSocket(socket)), logger, reloadMs)
      : createServer({ allowHalfOpen: true }, onSocket);
  server.prependListener('connection', onRaw);
  server.maxConnections = CONNECTIONS_MAX;
  await listen(server, place);

  /** Lets the requests that have begun finish, within `graceMs`. */
  const stop = async () => {
    const closed = new Promise<void>((resolve) => server.close(() => resolve()));
    for (const finish of connections.values()) finish();
    const forced = setTimeout(() => {
      for (const socket of [...connections.keys(), ...strangers.values()]) socket.destroy();
    }, graceMs);
    await closed;
    clearTimeout(forced);
  };
  return { address: server.address(), stop };
}
