import { operations } from '../../api/operations';
import { startApi, type TestApi } from '../support/api';

let api: TestApi;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api?.close());

type Document = {
  openapi: string;
  info: { version: string };
  paths: Record<string, Record<string, { operationId: string; parameters: { name: string }[] }>>;
  webhooks: Record<string, unknown>;
  components: Record<string, Record<string, unknown>>;
};

const documentOf = async () => (await (await fetch(`${api.url}/openapi.json`)).json()) as Document;

test('200: the document contains every operation with its security requirements, and every reference in the document resolves', async () => {
  const document = await documentOf();
  expect(document.openapi).toBe('3.1.0');
  expect(document.info.version).toMatch(/^\d+\.\d+\.\d+/);
  const described = Object.values(document.paths).flatMap((methods) => Object.values(methods));
  expect(described.map(({ operationId }) => operationId).sort()).toEqual(operations.map(({ id }) => id).sort());
  expect(document.paths['/v2/policies/{policyId}']?.['put']).toMatchObject({
    operationId: 'updatePolicy',
    'x-permission': 'Policies:Update',
    'x-callers': ['CustomerEmployee', 'ServiceAccount'],
    'x-user-action': true,
    security: [{ bearer: [], userAction: [] }],
    parameters: [{ name: 'policyId', in: 'path', required: true }],
  });
  expect(Object.keys(document.webhooks)).toContain('wallet.transfer.confirmed');
  for (const [, place, name] of JSON.stringify(document).matchAll(/"#\/components\/(\w+)\/(\w+)"/g)) {
    expect(document.components[place ?? '']).toHaveProperty(name ?? '');
  }
});

test('200: the document of this release is also served under its number; 404: under any other number', async () => {
  const document = await documentOf();
  const { version } = document.info;
  for (const name of [version, `v${version}`]) {
    expect(await (await fetch(`${api.url}/releases/${name}/openapi.json`)).json()).toEqual(document);
  }
  for (const name of ['9.9.9', `${version}0`, `vv${version}`, 'v', '..%2f..']) {
    const answer = await fetch(`${api.url}/releases/${name}/openapi.json`);
    expect([name, answer.status, await answer.json()]).toMatchObject([name, 404, { error: { id: 'NotFound' } }]);
  }
});

test('200: the description of an operation explains the error for a name that is in use', async () => {
  expect((await documentOf()).paths['/auth/users']?.['post']).toMatchObject({
    description: expect.stringContaining('401 `UserExists`'),
  });
});

test('200: the document contains the limits of lists as numbers', async () => {
  const list = (await documentOf()).paths['/auth/users']?.['get'];
  expect(list?.parameters.find(({ name }) => name === 'limit')).toEqual({
    name: 'limit',
    in: 'query',
    required: false,
    schema: { type: 'integer', minimum: 1, maximum: 500, default: 50 },
    example: expect.any(Number),
  });
});

test('200: the reference page loads only from this service, without a script in the page', async () => {
  const response = await fetch(`${api.url}/docs`);
  const html = await response.text();
  expect(response.headers.get('content-security-policy')).toContain("script-src 'self';");
  expect(html).not.toMatch(/https?:\/\//);
  for (const [, inline] of html.matchAll(/<script[^>]*>([^<]*)<\/script>/g)) expect(inline).toBe('');
  for (const [, path] of html.matchAll(/(?:src|href)="([^"]+)"/g)) {
    const asset = await fetch(`${api.url}${path}`);
    expect([path, asset.status, (await asset.arrayBuffer()).byteLength > 100]).toEqual([path, 200, true]);
  }
});

test('200: the root lists the addresses of the documentation', async () => {
  expect(await (await fetch(`${api.url}/`)).json()).toMatchObject({ docs: '/docs', openapi: '/openapi.json' });
});
