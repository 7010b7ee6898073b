import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Payload, PayloadCodec } from '@temporalio/common';
import { temporal } from '@temporalio/proto';
import type { Logger } from '../platform/logger';
import type { CodecGate, CodecOperation } from './codec-gate';
import { serveLogin, tokenOf } from './codec-login';

const BODY_BYTES_MAX = 4 * 1024 * 1024;
const REQUEST_LIMIT_MS = 30_000;
const { Payloads } = temporal.api.common.v1;
const OPERATIONS: Readonly<Record<string, CodecOperation>> = { '/decode': 'decode', '/encode': 'encode' };
const LOGIN_PATHS = ['/login', '/logout'];

type Options = {
  readonly port: number;
  readonly host: string;
  /** Pages that may call the endpoint. */
  readonly uiOrigins: readonly string[];
  /** Without a gate every caller who reaches the port can decrypt. Only a local trial on loopback may leave the gate out. */
  readonly gate?: CodecGate | undefined;
  /** The origin of the endpoint itself, which serves the login form. */
  readonly ownOrigin?: string | undefined;
  readonly logger: Logger;
};

/**
 * Lets the Temporal UI show the contents of histories. With a gate, the endpoint serves only operators, and records each
 * access. Browsers may call the endpoint only from the pages of the UI, and the login only from the endpoint's own page.
 */
export function serveCodec(codec: PayloadCodec, options: Options): Promise<Server> {
  const { port, host, uiOrigins, gate, ownOrigin, logger } = options;
  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { origin } = request.headers;
    const [path = ''] = request.url?.split('?') ?? [];
    const isLogin = gate !== undefined && LOGIN_PATHS.includes(path);
    response.setHeader('cache-control', 'no-store');
    response.setHeader('x-content-type-options', 'nosniff');
    if (origin !== undefined && !(isLogin ? origin === ownOrigin : uiOrigins.includes(origin))) return end(response, 403);
    if (isLogin) return login(gate, request, response, path);

    response.setHeader('access-control-allow-origin', origin ?? 'null');
    response.setHeader('vary', 'origin');
    response.setHeader('access-control-allow-headers', 'authorization,content-type,x-namespace');
    response.setHeader('access-control-allow-methods', 'POST, OPTIONS');
    if (gate) response.setHeader('access-control-allow-credentials', 'true');
    if (request.method === 'OPTIONS') return end(response, 204);
    const operation = OPERATIONS[path];
    if (request.method !== 'POST' || !operation) return end(response, 404);

    const token = tokenOf(request);
    const operator = gate && token !== undefined ? await gate.operatorOf(token) : undefined;
    if (gate && !operator) return end(response, token === undefined ? 401 : 403);
    const body = await bytesOf(request);
    const converted = await convert(codec, operation, body).catch(() => undefined);
    if (converted === undefined) return end(response, 400);
    if (gate && operator) await gate.record(operator, operation, converted.payloads);
    response.setHeader('content-type', 'application/json').end(converted.text);
  };

  const server = createServer({ requestTimeout: REQUEST_LIMIT_MS }, (request, response) => {
    serve(request, response).catch((error: unknown) => {
      if (response.headersSent || response.destroyed) return;
      logger.error({ err: error }, 'payloads were not decrypted');
      end(response, 503);
    });
  });
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => resolve(server));
  });
}

const end = (response: ServerResponse, status: number): void => {
  response.writeHead(status).end();
};

async function login(gate: CodecGate, request: IncomingMessage, response: ServerResponse, path: string): Promise<void> {
  const { method = 'GET' } = request;
  // A browser that submits a form from a different site omits the Origin header only for GET. So other methods need the header.
  if (method !== 'GET' && request.headers.origin === undefined) return end(response, 403);
  await serveLogin(gate, { method, path, body: method === 'POST' ? await bytesOf(request) : Buffer.alloc(0) }, response);
}

/** Closes the connection if the body is too long. */
async function bytesOf(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > BODY_BYTES_MAX) request.destroy();
    else chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

async function convert(codec: PayloadCodec, operation: CodecOperation, body: Buffer) {
  const { payloads } = Payloads.fromObject(JSON.parse(body.toString('utf8')) as Record<string, unknown>);
  const given = payloads as Payload[];
  const converted = operation === 'decode' ? await codec.decode(given) : await codec.encode(given);
  const text = JSON.stringify(Payloads.toObject(Payloads.create({ payloads: converted }), { bytes: String }));
  return { text, payloads: given.length };
}
