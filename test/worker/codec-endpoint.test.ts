import { once } from 'node:events';
import { request as httpRequest, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { defaultPayloadConverter } from '@temporalio/common';
import { createLogger } from '../../platform/logger';
import { createPayloadCodec } from '../../platform/payload-codec';
import { serveCodec } from '../../worker/codec-endpoint';

const UI = 'http://127.0.0.1:8233';
const CANARY = 'canary-7f3a';
const OPTIONS = { port: 0, host: '127.0.0.1', uiOrigins: [UI], logger: createLogger('worker', 'silent') };

let server: Server;
let url: string;
beforeAll(async () => {
  server = await serveCodec(createPayloadCodec(Buffer.alloc(32, 5), 'default'), OPTIONS);
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(async () => {
  server?.closeAllConnections();
  server?.close();
  if (server) await once(server, 'close');
});

const post = (path: string, body: string, headers: Readonly<Record<string, string>> = { origin: UI }) =>
  fetch(`${url}${path}`, { method: 'POST', body, headers: { 'content-type': 'application/json', ...headers } });

/** Payloads as the Temporal UI sends them: JSON with bytes in base64. */
const plain = () => {
  const { metadata, data } = defaultPayloadConverter.toPayload(CANARY);
  const base64 = (bytes: Uint8Array | null | undefined) => Buffer.from(bytes ?? []).toString('base64');
  return JSON.stringify({ payloads: [{ metadata: { encoding: base64(metadata?.['encoding']) }, data: base64(data) }] });
};

test('the endpoint decodes what it has encoded, in the form of the Temporal UI', async () => {
  const encoded = await (await post('/encode', plain())).text();
  expect(encoded).not.toContain(CANARY);
  expect(encoded).not.toContain(Buffer.from(`"${CANARY}"`).toString('base64'));
  const decoded = await post('/decode', encoded);
  expect(decoded.status).toBe(200);
  expect(decoded.headers.get('content-type')).toBe('application/json');
  expect(await decoded.json()).toEqual(JSON.parse(plain()));
});

test('the origin of the UI is allowed, by name and for the headers it sends', async () => {
  const preflight = await fetch(`${url}/decode`, { method: 'OPTIONS', headers: { origin: UI } });
  expect(preflight.status).toBe(204);
  expect(preflight.headers.get('access-control-allow-origin')).toBe(UI);
  expect(preflight.headers.get('access-control-allow-headers')).toContain('x-namespace');
  expect((await post('/decode?namespace=default', plain())).status).toBe(200);
});

test.each(['http://evil.example', 'http://127.0.0.1:8234', 'https://127.0.0.1:8233', `${UI}.evil.example`, 'null'])(
  'a page from %s is refused, whatever it requests',
  async (origin) => {
    const encoded = await (await post('/encode', plain())).text();
    for (const path of ['/decode', '/encode']) {
      const answer = await post(path, encoded, { origin });
      expect(answer.status).toBe(403);
      expect(answer.headers.get('access-control-allow-origin')).toBeNull();
      expect(await answer.text()).toBe('');
    }
    expect((await fetch(`${url}/decode`, { method: 'OPTIONS', headers: { origin } })).status).toBe(403);
  },
);

test('without a gate, there is no login page', async () => {
  expect((await fetch(`${url}/login`)).status).toBe(404);
});

test('the endpoint listens on loopback alone', () => {
  expect((server.address() as AddressInfo).address).toBe('127.0.0.1');
});

test('another path or method is not found', async () => {
  expect((await post('/', plain())).status).toBe(404);
  expect((await post('/decode/x', plain())).status).toBe(404);
  expect((await fetch(`${url}/decode`, { headers: { origin: UI } })).status).toBe(404);
});

test.each(['', 'null', '{"payloads":1}', '{"payloads":[1]}', '{'])('the body %j gets a 400 and nothing worse', async (body) => {
  expect((await post('/decode', body)).status).toBe(400);
  expect((await post('/decode', plain())).status).toBe(200);
});

test('a payload encrypted with a different key gets a 400 without the content of the payload', async () => {
  const foreign = await serveCodec(createPayloadCodec(Buffer.alloc(32, 6), 'default'), OPTIONS);
  try {
    const encoded = await (await post('/encode', plain())).text();
    const { port } = foreign.address() as AddressInfo;
    const answer = await fetch(`http://127.0.0.1:${port}/decode`, { method: 'POST', body: encoded, headers: { origin: UI } });
    expect([answer.status, await answer.text()]).toEqual([400, '']);
  } finally {
    foreign.closeAllConnections();
    foreign.close();
  }
});

/** Sends this many bytes. Returns the status, or undefined if the connection was cut. */
function sendBytes(bytes: number): Promise<number | undefined> {
  return new Promise((resolve) => {
    const outgoing = httpRequest(`${url}/decode`, { method: 'POST', headers: { origin: UI } }, (answer) => {
      answer.resume();
      resolve(answer.statusCode);
    });
    outgoing.on('error', () => resolve(undefined));
    outgoing.end(Buffer.alloc(bytes, ' '));
  });
}

test('a body of four mebibytes is read, and one byte more cuts the connection', async () => {
  const limit = 4 * 1024 * 1024;
  expect([await sendBytes(limit), await sendBytes(limit + 1)]).toEqual([400, undefined]);
  expect((await post('/decode', plain())).status).toBe(200);
});
