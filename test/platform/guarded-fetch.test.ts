import dns from 'node:dns';
import { once } from 'node:events';
import { createServer as createHttpServer } from 'node:http';
import { createServer } from 'node:https';
import { type AddressInfo, createServer as createTcpServer, type Server } from 'node:net';
import { type PostOutcome, post } from '../../platform/guarded-fetch';
import { isLoopbackAddress, isPublicAddress } from '../../platform/public-addresses';
import { startWebhookSink, type WebhookSink } from '../support/webhook-sink';

/**
 * A key and a self-signed certificate that only this test uses. The certificate names localhost and is valid for a hundred years.
 */
const KEY = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgHP70miYLUCWrh8Jq
EwAuaQ19t4kcygrFn6S5h1lKaHShRANCAAScebqbkQpgU3a4uIH9Cm2CFRMOxpR0
1VLI5dAl4grUWNtaxGFUSoL0N6lVkZteGCwDt06XnYIn99EV4Al7jAWP
-----END PRIVATE KEY-----`;
const CERTIFICATE = `-----BEGIN CERTIFICATE-----
MIIBnDCCAUGgAwIBAgIUHOG7LuRrx6WDgs+kiafZr64YA6wwCgYIKoZIzj0EAwIw
FDESMBAGA1UEAwwJbG9jYWxob3N0MCAXDTI2MTEyMTAyMTk1N1oYDzIxMjYxMDI4
MDIxOTU3WjAUMRIwEAYDVQQDDAlsb2NhbGhvc3QwWTATBgcqhkjOPQIBBggqhkjO
PQMBBwNCAAScebqbkQpgU3a4uIH9Cm2CFRMOxpR01VLI5dAl4grUWNtaxGFUSoL0
N6lVkZteGCwDt06XnYIn99EV4Al7jAWPo28wbTAdBgNVHQ4EFgQUiKubRTT+6NV1
5yK/M2jggOOMc/0wHwYDVR0jBBgwFoAUiKubRTT+6NV15yK/M2jggOOMc/0wDwYD
VR0TAQH/BAUwAwEB/zAaBgNVHREEEzARgglsb2NhbGhvc3SHBH8AAAEwCgYIKoZI
zj0EAwIDSQAwRgIhAJTC8g3PLtv99Joz9XDxmzkX9A+S44o9E0oauIiTwluZAiEA
7D6j1FWUaQW2ykSRNmrVryfxoXtKrCX+ZfWfh7kDO+E=
-----END CERTIFICATE-----`;

let sink: WebhookSink;
const servers: Server[] = [];
beforeAll(async () => {
  sink = await startWebhookSink();
});
afterEach(() => {
  sink.behave(200);
  jest.restoreAllMocks();
});
afterAll(async () => {
  await sink.close();
  for (const server of servers) server.close();
});

const BODY = Buffer.from('{"kind":"test"}');
const send = (url: string, allowLoopback: boolean, timeoutMs = 2_000) =>
  post({ url, headers: { 'content-type': 'application/json' }, body: BODY, timeoutMs, allowLoopback });
const codeOf = (outcome: PostOutcome) => ('code' in outcome ? outcome.code : outcome.httpStatus);

async function listen<S extends Server>(server: S): Promise<number> {
  servers.push(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

/** Sets the replies of the name server, in order. The last reply is repeated. */
function resolveTo(...answers: readonly (readonly string[])[]): void {
  let asked = 0;
  const lookup = (_name: string, _options: unknown, callback: (error: null, addresses: object[]) => void) => {
    const answer = answers[Math.min(asked, answers.length - 1)] ?? [];
    asked += 1;
    callback(
      null,
      answer.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
    );
  };
  jest.spyOn(dns, 'lookup').mockImplementation(lookup as never);
}

test.each([
  '1.1.1.1',
  '8.8.8.8',
  '172.15.255.255',
  '172.32.0.0',
  '100.63.255.255',
  '100.128.0.0',
  '223.255.255.255',
  '2606:4700::1111',
])('%s is a public address', (address) => {
  expect(isPublicAddress(address)).toBe(true);
});

test.each([
  '0.0.0.0',
  '10.0.0.1',
  '100.64.0.0',
  '100.127.255.255',
  '127.0.0.1',
  '127.255.255.255',
  '168.63.129.16',
  '169.254.169.254',
  '172.16.0.0',
  '172.31.255.255',
  '192.0.0.170',
  '192.168.255.255',
  '198.18.0.1',
  '198.19.255.255',
  '203.0.113.9',
  '224.0.0.1',
  '255.255.255.255',
  '::',
  '::1',
  '::ffff:127.0.0.1',
  '::ffff:8.8.8.8',
  '::127.0.0.1',
  '64:ff9b::7f00:1',
  '64:ff9b:1::1',
  '2002:7f00:1::',
  '2001::1',
  '2001:db8::1',
  'fc00::1',
  'fd00:ec2::254',
  'fe80::1',
  'fec0::1',
  'ff02::1',
  'not an address',
])('%s is not a public address', (address) => {
  expect(isPublicAddress(address)).toBe(false);
});

test('only 127.0.0.0/8 and ::1 are loopback addresses', () => {
  expect(['127.0.0.1', '127.9.9.9', '::1'].every(isLoopbackAddress)).toBe(true);
  expect(['126.255.255.255', '128.0.0.1', '::2', '0.0.0.0', 'localhost'].some(isLoopbackAddress)).toBe(false);
});

test.each([
  'https://127.0.0.1/',
  'https://[::1]/',
  'https://[::ffff:127.0.0.1]/',
  'https://2130706433/',
  'https://0x7f.1/',
  'https://0177.0.0.1/',
  'https://127.1/',
  'https://169.254.169.254/latest/meta-data/',
  'https://user:secret@example.com/',
  'http://example.com/',
  'ftp://example.com/',
])('%s is refused before any connection', async (url) => {
  const lookup = jest.spyOn(dns, 'lookup');
  expect(codeOf(await send(url, false))).toBe('TargetRefused');
  expect(lookup).not.toHaveBeenCalled();
});

test('a name that resolves to loopback is refused inside the connection', async () => {
  const before = sink.deliveries.length;
  expect(codeOf(await send(`https://localhost:${new URL(sink.url).port}/`, false))).toBe('TargetRefused');
  expect(sink.deliveries.length).toBe(before);
});

test('a changed DNS reply cannot redirect a request: the connection uses the checked address', async () => {
  const port = await listen(createTcpServer((socket) => socket.destroy()));
  let connections = 0;
  servers.at(-1)?.on('connection', () => {
    connections += 1;
  });
  resolveTo(['127.0.0.1'], ['93.184.216.34']);
  expect(codeOf(await send(`https://rebinding.test:${port}/`, false))).toBe('TargetRefused');
  resolveTo(['93.184.216.34', '127.0.0.1']);
  expect(codeOf(await send(`https://rebinding.test:${port}/`, false))).toBe('TargetRefused');
  expect(connections).toBe(0);
});

test('the local setting allows loopback and http, but no private address', async () => {
  expect(await send(sink.url, true)).toEqual({ httpStatus: 200 });
  expect(await send(sink.url.replace('127.0.0.1', 'localhost'), true)).toEqual({ httpStatus: 200 });
  expect(sink.deliveries.at(-1)?.raw).toBe(BODY.toString());
  expect(codeOf(await send('http://10.0.0.1/', true))).toBe('TargetRefused');
  expect(codeOf(await send('http://169.254.169.254/', true))).toBe('TargetRefused');
  resolveTo(['192.168.0.1']);
  expect(codeOf(await send('http://inside.test/', true))).toBe('TargetRefused');
});

test('a redirect is returned and is not followed', async () => {
  const before = sink.deliveries.length;
  sink.behave((response) => response.writeHead(302, { location: sink.url }).end());
  expect(await send(sink.url, true)).toEqual({ httpStatus: 302 });
  expect(sink.deliveries.length).toBe(before + 1);
});

test('a request to a silent receiver ends after the time limit', async () => {
  sink.behave('silent');
  const begun = performance.now();
  expect(codeOf(await send(sink.url, true, 200))).toBe('TimedOut');
  expect(performance.now() - begun).toBeLessThan(1_500);
});

test('an endless response is cut off, and its status is still returned', async () => {
  sink.behave((response) => {
    response.writeHead(200);
    const pour = () => {
      while (response.write(Buffer.alloc(16_384))) if (response.destroyed) return;
      response.once('drain', pour);
    };
    pour();
  });
  expect(await send(sink.url, true, 5_000)).toEqual({ httpStatus: 200 });
  sink.behave((response) => void response.writeHead(200).write('x'));
  expect(await send(sink.url, true, 200)).toEqual({ httpStatus: 200 });
});

test('a request returns ConnectionFailed if the receiver hangs up or the port has no listener', async () => {
  sink.behave((response) => response.destroy());
  expect(codeOf(await send(sink.url, true))).toBe('ConnectionFailed');
  const port = await listen(createTcpServer());
  servers.pop()?.close();
  expect(codeOf(await send(`http://127.0.0.1:${port}/`, true))).toBe('ConnectionFailed');
});

describe('kept connections', () => {
  /** Returns 200, but hangs up on the request with this number on its connection. Counts connections and requests. */
  async function startCounter(hangsUpOn: number) {
    const seen = { connections: 0, requests: 0 };
    const server = createHttpServer((request, response) => {
      seen.requests += 1;
      const ofConnection = (requestsOf.get(request.socket) ?? 0) + 1;
      requestsOf.set(request.socket, ofConnection);
      request.resume().on('end', () => (ofConnection === hangsUpOn ? request.socket.destroy() : response.end()));
    });
    const requestsOf = new WeakMap<object, number>();
    server.on('connection', () => {
      seen.connections += 1;
    });
    return { seen, url: `http://127.0.0.1:${await listen(server)}/` };
  }

  test('consecutive requests share a connection', async () => {
    const { seen, url } = await startCounter(0);
    for (let sent = 0; sent < 5; sent += 1) expect(await send(url, true)).toEqual({ httpStatus: 200 });
    expect(seen).toEqual({ connections: 1, requests: 5 });
  });

  test('no delivery is lost if the receiver has closed a kept connection, because a fresh connection follows', async () => {
    const { seen, url } = await startCounter(2);
    expect(await send(url, true)).toEqual({ httpStatus: 200 });
    expect(await send(url, true)).toEqual({ httpStatus: 200 });
    expect(seen.connections).toBe(2);
  });

  test('a request returns ConnectionFailed, without a second request, if the receiver hangs up on a fresh connection', async () => {
    const { seen, url } = await startCounter(1);
    expect(codeOf(await send(url, true))).toBe('ConnectionFailed');
    expect(seen.requests).toBe(1);
  });

  test('silence on a kept connection is a timeout, and the request is not sent again', async () => {
    expect(await send(sink.url, true)).toEqual({ httpStatus: 200 });
    sink.behave('silent');
    const before = sink.deliveries.length;
    expect(codeOf(await send(sink.url, true, 200))).toBe('TimedOut');
    sink.behave(200);
    // A repeated request would arrive before the last of these requests.
    for (let sent = 0; sent < 5; sent += 1) expect(await send(sink.url, true)).toEqual({ httpStatus: 200 });
    expect(sink.deliveries.length).toBe(before + 1 + 5);
  });

  test('a request without the local setting never reuses a connection that was opened with the setting', async () => {
    expect(await send(sink.url.replace('127.0.0.1', 'localhost'), true)).toEqual({ httpStatus: 200 });
    expect(codeOf(await send(`https://localhost:${new URL(sink.url).port}/`, false))).toBe('TargetRefused');
  });
});

test('an unknown name has its own error', async () => {
  jest
    .spyOn(dns, 'lookup')
    .mockImplementation(((_name: string, _options: unknown, callback: (error: Error, list: []) => void) =>
      callback(Object.assign(new Error('getaddrinfo ENOTFOUND'), { code: 'ENOTFOUND' }), [])) as never);
  expect(codeOf(await send('https://nowhere.test/', false))).toBe('HostNotFound');
});

test('a self-signed certificate is refused', async () => {
  const port = await listen(createServer({ key: KEY, cert: CERTIFICATE }, (_request, response) => response.end()));
  expect(codeOf(await send(`https://localhost:${port}/`, true))).toBe('CertificateInvalid');
});
