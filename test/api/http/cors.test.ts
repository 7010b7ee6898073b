import { startApi, type TestApi } from '../../support/api';

const PAGE = 'https://app.example.com';
let api: TestApi;
beforeAll(async () => {
  api = await startApi({ env: { ORIGINS: `${PAGE},http://localhost:3000`, PUBLIC_URL: 'https://custody.example.com' } });
});
afterAll(() => api?.close());

const preflight = (origin: string) =>
  fetch(`${api.url}/auth/action/init`, {
    method: 'OPTIONS',
    headers: {
      origin,
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'authorization,content-type,x-svc-useraction',
    },
  });
const allowed = ({ headers }: Response) => headers.get('access-control-allow-origin');

test('204: a page of a configured origin may send a token, a body and a user action, but no cookies', async () => {
  const response = await preflight(PAGE);
  expect([response.status, allowed(response)]).toEqual([204, PAGE]);
  const names = response.headers.get('access-control-allow-headers')?.split(',');
  expect(names).toEqual(expect.arrayContaining(['authorization', 'content-type', 'x-svc-useraction']));
  expect(response.headers.get('access-control-allow-methods')).toBe('GET,HEAD,POST,PUT,DELETE');
  expect(response.headers.get('access-control-allow-credentials')).toBeNull();
  expect(response.headers.get('vary')).toContain('Origin');
});

test.each(['https://evil.example', `${PAGE}.evil.example`, 'http://app.example.com', 'https://app.example.com:444', 'null', '*'])(
  '204: a page of %s may not send requests',
  async (origin) => {
    const response = await preflight(origin);
    expect([response.status, allowed(response)]).toEqual([204, null]);
    expect(response.headers.get('access-control-allow-headers')).toBeNull();
    expect(allowed(await fetch(`${api.url}/auth/users`, { headers: { origin } }))).toBeNull();
  },
);

test('401: a page of a configured origin can read a refusal, with the headers that it needs for a retry', async () => {
  const response = await fetch(`${api.url}/auth/users`, { headers: { origin: PAGE } });
  expect([response.status, allowed(response)]).toEqual([401, PAGE]);
  const exposed = response.headers.get('access-control-expose-headers')?.split(',');
  expect(exposed).toEqual(expect.arrayContaining(['x-request-id', 'retry-after', 'ratelimit']));
});

test('404: every answer has the headers that prevent a browser from executing, framing or sniffing it', async () => {
  for (const path of ['/nothing', '/auth/users', '/health/live']) {
    const { headers } = await fetch(`${api.url}${path}`);
    expect(
      Object.fromEntries(
        [...headers].filter(([name]) => !/^(date|connection|keep-alive|content-length|ratelimit.*)$/.test(name)),
      ),
    ).toMatchObject({
      'cache-control': 'no-store',
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-resource-policy': 'same-origin',
      'referrer-policy': 'no-referrer',
      'strict-transport-security': 'max-age=31536000',
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
      'x-request-id': expect.stringMatching(/^[0-9a-f-]{36}$/),
    });
    expect(headers.get('x-powered-by')).toBeNull();
    expect(headers.get('server')).toBeNull();
  }
});

test('200: without TLS in front of the service, the answer does not make a browser require TLS', async () => {
  const plain = await startApi({ database: api.database });
  try {
    expect((await fetch(`${plain.url}/health/live`)).headers.get('strict-transport-security')).toBeNull();
  } finally {
    await plain.close();
  }
});
