import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import { createConnection, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { connect as connectTls } from 'node:tls';

type Options = { readonly socketPath: string; readonly caPem?: Buffer | undefined; readonly timeoutMs: number };
type Target = { readonly host?: string | null | undefined; readonly port?: string | number | null | undefined };
type Done = (error: Error | null, stream: Duplex) => void;

const HEAD_BYTES_MAX = 4_096;
const HEAD_END = '\r\n\r\n';
const CONNECTIONS_MAX = 8;

/** Opens a tunnel through the forwarder (RFC 9110, 9.3.6). */
function openTunnel({ socketPath, timeoutMs }: Options, { host, port }: Target): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = createConnection(socketPath);
    let head = '';
    const fail = (error: Error) => {
      socket.destroy();
      reject(error);
    };
    const late = setTimeout(() => fail(new Error('the forwarder does not answer')), timeoutMs);
    socket.once('close', () => {
      clearTimeout(late);
      reject(new Error('the forwarder closed the connection'));
    });
    socket.once('error', fail);
    socket.once('connect', () => socket.write(`CONNECT ${host}:${port} HTTP/1.1\r\nHost: ${host}:${port}${HEAD_END}`));
    const read = (chunk: Buffer) => {
      head += chunk.toString('latin1');
      const end = head.indexOf(HEAD_END);
      if (end < 0 && head.length <= HEAD_BYTES_MAX) return;
      socket.off('data', read);
      // The target never sends before the client does, so no bytes of the target can follow the head of the forwarder's reply.
      if (!/^HTTP\/1\.1 200 /.test(head) || end + HEAD_END.length !== head.length)
        return fail(new Error('the forwarder refuses this address'));
      clearTimeout(late);
      socket.removeAllListeners('close');
      socket.off('error', fail);
      resolve(socket);
    };
    socket.on('data', read);
  });
}

/** Agents that reach every address through the forwarder's socket and open no connection of their own. */
export function tunnelAgents(options: Options) {
  const plain = new HttpAgent({ keepAlive: true, maxSockets: CONNECTIONS_MAX });
  const secure = new HttpsAgent({ keepAlive: true, maxSockets: CONNECTIONS_MAX });
  const through = (target: Target, done: Done | undefined, wrap: (socket: Socket) => Duplex): undefined => {
    openTunnel(options, target).then(
      (socket) => done?.(null, wrap(socket)),
      (error: unknown) => done?.(error instanceof Error ? error : new Error('no tunnel'), undefined as never),
    );
    return undefined;
  };
  plain.createConnection = (target: Target, done?: Done) => through(target, done, (socket) => socket);
  // TLS ends in this process and not in the forwarder, so the forwarder sees the data keys only in encrypted form.
  secure.createConnection = (target: Target, done?: Done) =>
    through(target, done, (socket) =>
      connectTls({
        socket,
        servername: target.host ?? '',
        minVersion: 'TLSv1.2',
        ...(options.caPem === undefined ? {} : { ca: options.caPem }),
      }),
    );
  return { httpAgent: plain, httpsAgent: secure };
}
