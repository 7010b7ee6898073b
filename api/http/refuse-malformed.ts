import type { Socket } from 'node:net';
import { helpLink } from './errors';

const STATUS: Readonly<Record<string, readonly [number, string, string]>> = {
  HPE_HEADER_OVERFLOW: [431, 'Request Header Fields Too Large', 'The headers are too large'],
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'Request Timeout', 'The request took too long to arrive'],
};

/**
 * A request that Node cannot parse or does not receive in time never reaches the application. So this handler writes the usual
 * error response itself.
 */
export function refuseMalformed(publicUrl: string | undefined) {
  return (error: NodeJS.ErrnoException, socket: Socket): void => {
    if (error.code === 'ECONNRESET' || !socket.writable) {
      socket.destroy();
      return;
    }
    const [status, reason, message] = STATUS[error.code ?? ''] ?? [400, 'Bad Request', 'The request is not valid HTTP'];
    const body = JSON.stringify({ error: { id: 'InvalidRequest', status, message } });
    const head = `HTTP/1.1 ${status} ${reason}\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}`;
    socket.end(`${head}\r\nLink: ${helpLink(publicUrl, 'InvalidRequest')}\r\nConnection: close\r\n\r\n${body}`);
  };
}
