import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { ZodError, z } from 'zod';
import { pageOf, STYLE_POLICY } from './page';
import type { VendorPart } from './part';
import { createVendorState, type VendorState } from './state';

const BODY_BYTES_MAX = 1024 * 1024;
const LONG_REPLY_BYTES = 2 * 1024 * 1024;
const OURS = /^(127\.0\.0\.1|localhost|\[::1\])(:\d+)?$/;

type Options = { readonly parts: readonly VendorPart[]; readonly port: number };
export type VendorServer = { readonly url: string; readonly close: () => Promise<void> };

/**
 * `/<vendor>/v1/…` is the vendor itself. `/scripts/<vendor>` sets its instruction, `/requests/<vendor>` lists its requests, and
 * `/` is the page of all vendors.
 */
export async function serveVendors({ parts, port }: Options): Promise<VendorServer> {
  const states = parts.map(createVendorState);
  const server = createServer((request, response) => {
    handle(states, request, response).catch((error: unknown) => {
      if (!response.headersSent) json(response, 500, { error: error instanceof Error ? error.name : 'unknown' });
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  });
  const address = server.address();
  const bound = typeof address === 'object' && address !== null ? address.port : port;
  return { url: `http://127.0.0.1:${bound}`, close: () => closed(server) };
}

const closed = (server: Server): Promise<void> =>
  new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });

async function handle(states: readonly VendorState[], request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { pathname } = new URL(request.url ?? '/', 'http://vendors');
  const [, first = '', second = ''] = pathname.split('/');
  const body = await bodyOf(request);
  if (first !== '' && first !== 'scripts' && first !== 'requests') {
    const state = states.find(({ part }) => part.name === first);
    return state ? beVendor(state, { request, pathname, body }, response) : json(response, 404, { error: 'no such vendor' });
  }
  // Without this check a website could point its domain at this machine (DNS rebinding) and instruct the vendors.
  if (!OURS.test(request.headers.host ?? '') || isForeign(request))
    return json(response, 403, { error: 'not from this machine' });
  if (first === '') return page(states, response);
  const named = states.find(({ part }) => part.name === second);
  if (!named) return json(response, 404, { error: 'no such vendor', vendors: states.map(({ part }) => part.name) });
  if (first === 'scripts') return script(named, request, body, response);
  return json(response, 200, { items: named.requests() });
}

const isForeign = ({ headers }: IncomingMessage): boolean =>
  headers.origin !== undefined && !OURS.test(headers.origin.replace(/^https?:\/\//, ''));

type Heard = { readonly request: IncomingMessage; readonly pathname: string; readonly body: string };

async function beVendor(state: VendorState, { request, pathname, body }: Heard, response: ServerResponse): Promise<void> {
  const { authorization = '' } = request.headers;
  const { method = 'GET' } = request;
  const path = pathname.slice(state.part.name.length + 1);
  const seen = { date: new Date().toISOString(), method, path, body: parsed(body) };
  const { behaviour, script: told } = state.next(seen);
  switch (behaviour.kind) {
    case 'Silent':
      return;
    case 'Error':
      return json(response, behaviour.status, { error: 'as instructed' }, { location: '/elsewhere' });
    case 'RateLimited':
      return json(response, 429, { error: 'too many requests' }, { 'retry-after': String(behaviour.retryAfterSeconds) });
    case 'Garbage':
      return void response
        .writeHead(200, { 'content-type': 'text/html' })
        .end(`<html>${authorization} is what I was sent</html>`);
    case 'TooLong':
      return json(response, 200, { filling: 'x'.repeat(LONG_REPLY_BYTES) });
    case 'Broken':
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': '100' });
      response.write('{"half":', () => response.destroy());
      return;
    case 'Slow':
      await new Promise((resolve) => setTimeout(resolve, behaviour.delayMs));
      break;
    default:
      break;
  }
  // Every key is valid, except a key that begins with `unknown`.
  if (!authorization.startsWith('Bearer ') || authorization.startsWith('Bearer unknown')) {
    return json(response, 401, { error: 'the key is not known' });
  }
  if (method === 'GET' && path === '/v1/account') return json(response, 200, { account: `simulated ${state.part.name}` });
  const reply = await state.part.answer({ method, path, body: seen.body }, told);
  return reply ? json(response, reply.status, reply.body) : json(response, 404, { error: 'not known' });
}

const Form = z.object({ instruction: z.string() });

/** The page sends a form, and the reply redirects the browser to the page. A program sends JSON and gets JSON. */
function script(state: VendorState, { method }: IncomingMessage, body: string, response: ServerResponse): void {
  try {
    if (method === 'DELETE') state.reset();
    if (method === 'PUT') state.tell(JSON.parse(body));
    if (method === 'POST') fill(state, Form.parse(Object.fromEntries(new URLSearchParams(body))).instruction);
    if (method === 'POST') response.writeHead(303, { location: '/' }).end();
    else json(response, 200, state.scripted());
  } catch (error) {
    const issues = error instanceof ZodError ? error.issues.map(({ path, message }) => ({ path: path.join('.'), message })) : [];
    json(response, 400, { error: 'this is not an instruction', issues });
  }
}

function fill(state: VendorState, instruction: string): void {
  if (instruction === '') state.reset();
  else state.tell(JSON.parse(instruction));
}

function page(states: readonly VendorState[], response: ServerResponse): void {
  response.writeHead(200, {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': `default-src 'none'; style-src ${STYLE_POLICY}; base-uri 'none'; form-action 'self'; frame-ancestors 'none'`,
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'same-origin',
    'cache-control': 'no-store',
  });
  response.end(pageOf(states));
}

function json(response: ServerResponse, status: number, body: unknown, headers: Readonly<Record<string, string>> = {}): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text === '' ? undefined : text;
  }
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request) {
    bytes += (chunk as Buffer).byteLength;
    if (bytes > BODY_BYTES_MAX) throw new Error('the body is too long');
    chunks.push(chunk as Buffer);
  }
  return Buffer.concat(chunks).toString('utf8');
}
