import { createServer, type Server } from 'node:http';
import type { Payload, PayloadCodec } from '@temporalio/common';
import { temporal } from '@temporalio/proto';

const BODY_BYTES_MAX = 4 * 1024 * 1024;
const { Payloads } = temporal.api.common.v1;

/**
 * Lets the Temporal UI show what histories hold. It decrypts for whoever asks, so it listens on loopback alone and answers
 * only the origin of the UI.
 */
export function serveCodec(codec: PayloadCodec, port: number, uiOrigins: readonly string[]): Promise<Server> {
  const server = createServer((request, response) => {
    const origin = request.headers.origin;
    if (origin !== undefined && !uiOrigins.includes(origin)) {
      response.writeHead(403).end();
      return;
    }
    response.setHeader('access-control-allow-origin', origin ?? 'null');
    response.setHeader('access-control-allow-headers', 'content-type,x-namespace');
    response.setHeader('access-control-allow-methods', 'POST, OPTIONS');
    if (request.method === 'OPTIONS') {
      response.writeHead(204).end();
      return;
    }
    const path = request.url?.split('?')[0];
    if (request.method !== 'POST' || (path !== '/decode' && path !== '/encode')) {
      response.writeHead(404).end();
      return;
    }
    const chunks: Buffer[] = [];
    let size = 0;
    request.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size > BODY_BYTES_MAX) request.destroy();
      else chunks.push(chunk);
    });
    request.on('end', () => {
      convert(codec, path, Buffer.concat(chunks)).then(
        (body) => response.setHeader('content-type', 'application/json').end(body),
        () => response.writeHead(400).end(),
      );
    });
  });
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', () => resolve(server));
  });
}

async function convert(codec: PayloadCodec, path: '/decode' | '/encode', body: Buffer): Promise<string> {
  const { payloads } = Payloads.fromObject(JSON.parse(body.toString('utf8')) as Record<string, unknown>);
  const given = payloads as Payload[];
  const converted = path === '/decode' ? await codec.decode(given) : await codec.encode(given);
  return JSON.stringify(Payloads.toObject(Payloads.create({ payloads: converted }), { bytes: String }));
}
