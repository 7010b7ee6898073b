import { request } from 'node:http';
import { startApi, type TestApi } from '../support/api';
import { asSuperuser } from '../support/roles';

let api: TestApi;
beforeEach(async () => {
  api = await startApi({ own: 'it stops the process and cuts its connections' });
});
afterEach(() => api?.close());

test('after SIGTERM, the process completes open requests, accepts no new requests, and exits with status 0', async () => {
  const admin = await api.createPerson(await api.createOrganization());
  const text = JSON.stringify({ userActionHttpMethod: 'POST', userActionHttpPath: '/wallets', userActionPayload: '{}' });
  const headers = { authorization: `Bearer ${admin.token}`, 'content-type': 'application/json', 'content-length': text.length };
  const inFlight = request(`${api.url}/auth/action/init`, { method: 'POST', headers: { ...headers, expect: '100-continue' } });
  const status = new Promise<number | undefined>((resolve, reject) => {
    inFlight.on('response', (response) => resolve(response.resume().statusCode));
    inFlight.on('error', reject);
  });
  // The server requests the body only after it has received the head of the request.
  await new Promise((resolve) => inFlight.once('continue', resolve));
  const exited = api.stop();
  await expect(untilRefused(api.url)).resolves.toBe(true);
  inFlight.end(text);
  expect(await status).toBe(200);
  expect(await exited).toBe(0);
});

test('SIGUSR1 does not open a debugger', async () => {
  process.kill(api.pid, 'SIGUSR1');
  expect((await fetch(`${api.url}/health/live`)).status).toBe(200);
  expect(api.log.join('\n')).not.toMatch(/debugger/i);
});

test('if the database ends every connection, callers get at most a 503 and never a 500, and the service recovers', async () => {
  const admin = await api.createPerson(await api.createOrganization());
  const ask = async () => (await admin.client.get('/auth/credentials')).status;
  const answers: number[] = [];
  for (let round = 0; round < 3; round += 1) {
    const waiting = Array.from({ length: 8 }, ask);
    // Other tests share the server. The query ends only the connections of this test's database.
    await asSuperuser((client) =>
      client.query('SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1', [api.database.name]),
    );
    answers.push(...(await Promise.all(waiting)));
  }
  expect(answers.filter((status) => status !== 200 && status !== 503)).toEqual([]);
  let last = 0;
  for (let attempt = 0; attempt < 20 && last !== 200; attempt += 1) last = await ask();
  expect(last).toBe(200);
});

async function untilRefused(url: string): Promise<boolean> {
  for (let attempt = 0; attempt < 1_000; attempt += 1) {
    try {
      await fetch(`${url}/health/live`, { headers: { connection: 'close' } });
    } catch {
      return true;
    }
  }
  return false;
}
