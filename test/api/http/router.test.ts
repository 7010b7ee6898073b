import { connect } from 'node:net';
import { type Person, startApi, type TestApi } from '../../support/api';
import { waitUntil } from '../../support/wait-until';

let api: TestApi;
let admin: Person;
beforeAll(async () => {
  api = await startApi();
  admin = await api.createPerson(await api.createOrganization());
});
afterAll(() => api?.close());

/** Sends bytes unchanged and returns the raw answer. */
function raw(text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(Number(new URL(api.url).port), '127.0.0.1');
    let answer = '';
    socket.setEncoding('latin1');
    socket.on('data', (chunk) => {
      answer += String(chunk);
    });
    socket.on('close', () => resolve(answer));
    socket.on('error', reject);
    socket.end(text, 'latin1');
  });
}

const call = (path: string, method = 'GET') => admin.client.send({ method, path });

test.each([
  '/nothing',
  '/auth',
  '//auth/users',
  '/auth/users/x/y',
  '/AUTH/users',
  '/v2/auth/users',
  '/docs/../package.json',
  '/docs/%2e%2e/x',
])('404: there is nothing at %s', async (path) => {
  expect(await call(path)).toMatchObject({ status: 404, body: { error: { id: 'NotFound', status: 404 } } });
});

test.each([
  ['DELETE', '/auth/users'],
  ['PATCH', '/auth/users'],
  ['PUT', '/auth/action/init'],
  ['GET', '/auth/action'],
])('405: the answer to %s %s lists the allowed methods', async (method, path) => {
  const { status, headers, body } = await call(path, method);
  expect({ status, body }).toMatchObject({ status: 405, body: { error: { id: 'MethodNotAllowed' } } });
  expect(headers.get('allow')).toBe(path.startsWith('/auth/users') ? 'GET, HEAD, POST' : 'POST');
});

test('404: the log line of a request has the template of its path, with or without /v2, and no values', async () => {
  const before = api.log.length;
  for (const path of ['/policies/some-policy', '/v2/policies/other-policy']) await call(path);
  const lines = await waitUntil('the lines of both requests', () => {
    const own = api.log.slice(before).filter((line) => line.includes('"getPolicy"'));
    return own.length === 2 && own;
  });
  expect(lines.map((line) => JSON.parse(line) as object)).toMatchObject([
    { method: 'GET', path: '/v2/policies/{policyId}', status: 404 },
    { method: 'GET', path: '/v2/policies/{policyId}', status: 404 },
  ]);
  expect(lines.join('')).not.toMatch(/some-policy|other-policy/);
});

test('204: OPTIONS lists the methods', async () => {
  const response = await fetch(`${api.url}/v2/policies`, { method: 'OPTIONS' });
  expect([response.status, response.headers.get('allow')]).toEqual([204, 'GET, HEAD, POST']);
});

test('200: HEAD returns the status of GET without a body', async () => {
  const response = await fetch(`${api.url}/auth/users`, { method: 'HEAD', headers: { authorization: `Bearer ${admin.token}` } });
  expect([response.status, await response.text()]).toEqual([200, '']);
});

test('200: a path is the same with and without /v2 and a trailing slash, and the answer is never a redirect', async () => {
  for (const path of ['/v2/policies', '/policies', '/v2/policies/', '/policies/', '/auth/users/', '/webhooks/']) {
    expect((await call(path)).status).toBe(200);
  }
});

test.each(['/auth/users/%', '/auth/users/%zz', '/auth/users/%ff', '/auth/users/%c3%28', '/%'])(
  '400: %s is not percent-encoded UTF-8',
  async (path) => {
    expect(await call(path)).toMatchObject({ status: 400, body: { error: { id: 'InvalidRequest' } } });
  },
);

test.each([
  ['400', 'a text that is not HTTP', 'hello\r\n\r\n'],
  ['400', 'two length headers', 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nx'],
  [
    '400',
    'a length header and chunked encoding',
    'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
  ],
  ['431', 'huge headers', `GET / HTTP/1.1\r\nHost: x\r\nX-A: ${'a'.repeat(20_000)}\r\n\r\n`],
  [
    '401',
    'control characters',
    'GET /auth/users HTTP/1.1\r\nHost: x\r\nConnection: close\r\nAuthorization: Bearer \xff\xfe.\x80.\x80\r\n\r\n',
  ],
  [
    '401',
    'a token of hostile length',
    `GET /auth/users HTTP/1.1\r\nHost: x\r\nConnection: close\r\nAuthorization: Bearer ${'a.'.repeat(5_000)}\r\n\r\n`,
  ],
])('%s: %s gets an error body, not a broken connection', async (status, _name, text) => {
  const answer = await raw(text);
  expect(answer).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
  expect(JSON.parse(answer.slice(answer.indexOf('{')))).toMatchObject({ error: { status: Number(status) } });
});

test('200: the answer has a request id and reveals nothing about the server software', async () => {
  const { headers } = await call('/auth/users');
  expect(headers.get('x-request-id')).toBeTruthy();
  for (const name of ['server', 'x-powered-by', 'etag']) expect(headers.get(name)).toBeNull();
  expect(headers.get('cache-control')).toBe('no-store');
  expect(headers.get('x-content-type-options')).toBe('nosniff');
});

test('the log has one line per request with user and operation, and no token, header, body or path value', async () => {
  const person = await api.createPerson(await api.createOrganization(), { name: 'Zenobia' });
  const { headers } = await person.client.get(`/auth/users/${person.userId}`);
  await person.client.announce('POST', '/wallets', '{"name":"canary-in-the-body"}');
  const lines = api.log.map((line) => JSON.parse(line) as Record<string, unknown>);
  const mine = lines.filter(({ requestId }) => requestId === headers.get('x-request-id'));
  expect(mine).toEqual([
    expect.objectContaining({ method: 'GET', operationId: 'getUser', status: 200, orgId: person.orgId, userId: person.userId }),
  ]);
  const all = api.log.join('\n');
  for (const secret of [person.token, person.token.split('.')[2] ?? '', 'canary-in-the-body', person.credId])
    expect(all).not.toContain(secret);
});
