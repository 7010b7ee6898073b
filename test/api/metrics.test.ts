import { freePort } from '../../local/free-port';
import { startApi, type TestApi } from '../support/api';

let api: TestApi;
let metricsUrl: string;
beforeAll(async () => {
  const port = await freePort();
  metricsUrl = `http://127.0.0.1:${port}/metrics`;
  api = await startApi({ env: { METRICS_PORT: String(port) } });
});
afterAll(() => api?.close());

const scrape = async () => (await fetch(metricsUrl)).text();

test('requests are counted by operation and status, and refusals by their code', async () => {
  const admin = await api.createPerson(await api.createOrganization());
  expect((await admin.client.get('/wallets')).status).toBe(200);
  expect((await admin.client.get('/wallets/wa-00000-00000-0000000000000000')).status).toBe(404);
  expect((await fetch(`${api.url}/wallets`)).status).toBe(401);
  expect(
    (await fetch(`${api.url}/wallets`, { method: 'POST', headers: { authorization: `Bearer ${admin.token}` } })).status,
  ).toBe(403);
  expect((await fetch(`${api.url}/nowhere/wa-00000-00000-0000000000000000`)).status).toBe(404);
  const text = await scrape();
  const count = (operation: string, status: number) =>
    `strongroom_http_request_duration_seconds_count{operation="${operation}",status="${status}"} 1`;
  for (const line of [
    count('listWallets', 200),
    count('getWallet', 404),
    count('listWallets', 401),
    count('createWallet', 403),
    count('other', 404),
    'strongroom_http_errors_total{code="Unauthorized"} 1',
    'strongroom_http_errors_total{code="UserActionInvalid"} 1',
    'strongroom_http_errors_total{code="NotFound"} 2',
    'strongroom_http_requests_in_flight 0',
  ])
    expect(text.split('\n')).toContain(line);
  expect(text).toMatch(/^strongroom_db_connections\{pool="read",state="idle"\} \d/m);
  expect(text).not.toMatch(/[a-z]{2}-[0-9a-z]{5}-[0-9a-z]{5}-/);
});

test('the port of the API does not serve metrics', async () => {
  expect((await fetch(`${api.url}/metrics`)).status).toBe(404);
});
