import { issueToken } from '../../../application/access-tokens/tokens';
import { createLimitDigest } from '../../../platform/limit-digest';
import { type Person, startApi, type TestApi } from '../../support/api';
import type { Answer } from '../../support/client';
import { createTestDatabase, type TestDatabase } from '../../support/database';
import { asSuperuser } from '../../support/roles';
import { waitUntil } from '../../support/wait-until';

const LIMITS = {
  Read: { address: 1_000, user: 12, token: 8 },
  Write: { token: 2 },
  Signing: { token: 4 },
  SignIn: { address: 5 },
  Mail: { address: 40, named: 3 },
};
const DATA_KEK = '07'.repeat(32);
const ORG = 'or-00000-00000-0000000000000000';

let database: TestDatabase;
let first: TestApi;
let second: TestApi;
beforeAll(async () => {
  database = await createTestDatabase();
  const env = { RATE_LIMITS: JSON.stringify(LIMITS), TRUSTED_PROXIES: '127.0.0.0/8' };
  first = await startApi({ database, dataKek: DATA_KEK, env });
  second = await startApi({ database, dataKek: DATA_KEK, tokenKey: first.tokenKey, env });
});
afterAll(async () => {
  await Promise.all([first?.close(), second?.close()]);
  await database?.close();
});

const newAdmin = async () => first.createPerson(await first.createOrganization());
/** A caller without a token, from the given address. */
const stranger = async (api: TestApi, address: string, path: string, body: object, method = 'POST') => {
  const headers = { 'content-type': 'application/json', 'x-forwarded-for': address };
  const response = await fetch(`${api.url}${path}`, { method, headers, body: JSON.stringify(body) });
  return { status: response.status, headers: response.headers, body: (await response.json()) as unknown };
};
const login = (api: TestApi, address: string) => stranger(api, address, '/auth/login/init', { orgId: ORG, username: 'nobody' });
const limit = (answer: Pick<Answer, 'headers'>) => answer.headers.get('ratelimit') ?? '';
const read = (person: Person, api: TestApi = first) =>
  fetch(`${api.url}/auth/credentials`, { headers: { authorization: `Bearer ${person.token}` } });

test('429: a token has used up its requests; the answer contains the time to wait, and other tokens are not affected', async () => {
  const admin = await newAdmin();
  const answers = await Promise.all(Array.from({ length: 20 }, () => read(admin)));
  expect(answers.filter(({ status }) => status === 200).length).toBe(LIMITS.Read.token);
  const refused = answers.find(({ status }) => status === 429);
  expect(await refused?.json()).toEqual({
    error: { id: 'RateLimited', status: 429, message: 'Too many requests', details: { retryAfterSeconds: expect.any(Number) } },
  });
  expect(refused?.headers.get('ratelimit-policy')).toBe('"read-token";q=8;w=60');
  expect(refused?.headers.get('ratelimit')).toMatch(/^"read-token";r=0;t=\d+$/);
  const wait = Number(refused?.headers.get('retry-after'));
  expect(wait).toBeGreaterThan(0);
  expect(wait).toBeLessThanOrEqual(Math.ceil(60 / LIMITS.Read.token));
  expect((await read(await newAdmin())).status).toBe(200);
});

test('200: each answer contains the number of remaining requests', async () => {
  const admin = await newAdmin();
  const left: string[] = [];
  for (let at = 0; at < 3; at += 1) left.push(limit(await read(admin)));
  expect(left.map((text) => text.replace(/;t=\d+/, ''))).toEqual(['"read-token";r=7', '"read-token";r=6', '"read-token";r=5']);
});

test('429: requests that one process has served are included in the count of the other process', async () => {
  const admin = await newAdmin();
  for (let at = 0; at < LIMITS.Read.token; at += 1) expect((await read(admin)).status).toBe(200);
  const key = createLimitDigest(Buffer.from(DATA_KEK, 'hex'))(`Read/token/${admin.tokenId}`);
  const told = () =>
    asSuperuser(
      (client) =>
        client.query(`SELECT FROM rate_limits WHERE key = $1 AND date_empty > clock_timestamp() + interval '50 s'`, [key]),
      database.name,
    );
  await waitUntil('the process to store the requests that it has served', async () => (await told()).rowCount === 1);
  let served = 0;
  await waitUntil('the other process to include these requests', async () => {
    const { status } = await read(admin, second);
    served += status === 200 ? 1 : 0;
    return status === 429;
  });
  // Without the shared count the second process would have served the same number of requests again.
  expect(served).toBeLessThan(LIMITS.Read.token);
});

test('429: a user has reached the limit; a second token of the user does not double it', async () => {
  const admin = await newAdmin();
  const statuses = await Promise.all(Array.from({ length: 8 }, async () => (await read(admin)).status));
  expect(statuses).toEqual(Array(8).fill(200));
  const { token } = await database.db.withOrg(admin.orgId, (tx) =>
    issueToken(tx, first.tokens, { userId: admin.userId, kind: 'Token', lifetimeMs: 60_000 }),
  );
  const other = { ...admin, token };
  const more = await Promise.all(Array.from({ length: 8 }, async () => (await read(other)).status));
  expect(more.filter((status) => status === 200).length).toBe(LIMITS.Read.user - 8);
});

test('429: changes and user actions have separate limits', async () => {
  const admin = await newAdmin();
  const policy = (name: string) => ({
    name,
    activityKind: 'Wallets:Sign',
    rule: { kind: 'AlwaysTrigger' },
    action: { kind: 'Block' },
  });
  expect((await admin.client.change('POST', '/v2/policies', policy('one'))).status).toBe(200);
  expect((await admin.client.change('POST', '/v2/policies', policy('two'))).status).toBe(200);
  const third = await admin.client.announce('POST', '/v2/policies', JSON.stringify(policy('three')));
  expect({ status: third.status, limit: limit(third) }).toEqual({
    status: 429,
    limit: expect.stringMatching(/^"signing-token";r=0/),
  });
  const change = await admin.client.send({ method: 'POST', path: '/v2/policies', text: '{}' });
  expect({ status: change.status, limit: limit(change) }).toEqual({
    status: 429,
    limit: expect.stringMatching(/^"write-token";r=0/),
  });
  expect((await read(admin)).status).toBe(200);
});

test('429: 40 calls without a token come from one address at once; all processes together serve only the allowed number', async () => {
  const address = '198.51.100.1';
  const answers = await Promise.all(Array.from({ length: 40 }, (_, at) => login(at % 2 === 0 ? first : second, address)));
  expect(answers.filter(({ status }) => status === 429).length).toBe(40 - LIMITS.SignIn.address);
  expect((await login(first, '198.51.100.2')).status).not.toBe(429);
});

test('429: all addresses of one IPv6 network share one limit', async () => {
  const answers = await Promise.all(Array.from({ length: 10 }, (_, at) => login(first, `2001:db8:7:7::${at + 1}`)));
  expect(answers.filter(({ status }) => status === 429).length).toBe(10 - LIMITS.SignIn.address);
  expect((await login(first, '2001:db8:7:8::1')).status).not.toBe(429);
});

test('429: a mailbox has got the allowed number of codes, whether or not the mailbox exists', async () => {
  const ask = (username: string, at: number) => stranger(first, `203.0.113.${at}`, '/auth/login/code', { orgId: ORG, username });
  const answers: Awaited<ReturnType<typeof ask>>[] = [];
  for (let at = 1; at <= 5; at += 1) answers.push(await ask('nobody@example.com', at));
  expect(answers.slice(0, 3).every(({ status }) => status !== 429)).toBe(true);
  expect(answers.slice(3).map(({ status }) => status)).toEqual([429, 429]);
  expect((await ask('somebody-else@example.com', 9)).status).not.toBe(429);
});

test('200: a caller who has no requests left can still read health, documents and keys', async () => {
  for (let at = 0; at < 10; at += 1) await login(first, '198.51.100.9');
  for (const path of ['/health/live', '/openapi.json', '/.well-known/jwks.json']) {
    const answer = await fetch(`${first.url}${path}`, { headers: { 'x-forwarded-for': '198.51.100.9' } });
    expect([path, answer.status]).toEqual([path, 200]);
  }
});

test('200: no row contains the address of a caller', async () => {
  await login(first, '198.51.100.77');
  const { rows: keys } = await asSuperuser((client) => client.query('SELECT key FROM rate_limits'), database.name);
  expect(keys.length).toBeGreaterThan(0);
  expect(JSON.stringify(keys)).not.toMatch(/198\.51|SignIn|or-0/);
});
