import { randomBytes } from 'node:crypto';
import { issueToken } from '../../../../application/access-tokens/tokens';
import { type Person, startApi, type TestApi } from '../../../support/api';
import { Client } from '../../../support/client';

let api: TestApi;
let orgId: string;
beforeAll(async () => {
  api = await startApi();
  orgId = await api.createOrganization();
});
afterAll(() => api?.close());

const MINUTE_MS = 60_000;

/** Creates a further session or a personal access token of the person. */
const another = async ({ userId, client }: Person, kind: 'Token' | 'Pat' = 'Token'): Promise<Client> => {
  const { token } = await api.database.db.withOrg(orgId, (tx) =>
    issueToken(tx, api.tokens, { userId, kind, lifetimeMs: MINUTE_MS, name: randomBytes(4).toString('hex') }),
  );
  return new Client(api.url, { ...client.identity, token });
};
const logOut = (client: Client, body?: unknown) =>
  client.send({ method: 'PUT', path: '/auth/logout', ...(body === undefined ? {} : { text: JSON.stringify(body) }) });
const statusOf = async (client: Client) => (await client.get('/auth/credentials')).status;

test.each([[undefined], [{}], [{ allSessions: false }]])('200: with the body %j only this session ends', async (body) => {
  const person = await api.createPerson(orgId);
  const other = await another(person);
  expect(await logOut(person.client, body)).toMatchObject({ status: 200, body: { message: 'The session has ended.' } });
  expect([await statusOf(person.client), await statusOf(other)]).toEqual([401, 200]);
});

test('200: all sessions of the user end; tokens of programs and sessions of other users stay valid', async () => {
  const person = await api.createPerson(orgId, { kind: 'EndUser' });
  const other = await another(person);
  const program = await another(person, 'Pat');
  const stranger = await api.createPerson(orgId);
  expect((await logOut(other, { allSessions: true })).status).toBe(200);
  expect([await statusOf(person.client), await statusOf(other)]).toEqual([401, 401]);
  expect([await statusOf(program), await statusOf(stranger.client)]).toEqual([200, 200]);
});

test('200: another process also refuses the session from the next request on', async () => {
  const second = await startApi({ database: api.database, tokenKey: api.tokenKey });
  try {
    const person = await api.createPerson(orgId);
    const there = new Client(second.url, person.client.identity);
    expect(await statusOf(there)).toBe(200);
    expect((await logOut(person.client)).status).toBe(200);
    expect(await statusOf(there)).toBe(401);
  } finally {
    await second.close();
  }
});

test('200: a user action that was begun in a session cannot be signed after the session has ended', async () => {
  const person = await api.createPerson(orgId);
  const other = await another(person);
  const { challenge, challengeIdentifier } = (await person.client.announce('POST', '/wallets', '{}')).body as {
    challenge: string;
    challengeIdentifier: string;
  };
  await logOut(person.client);
  const sign = (client: Client) => client.post('/auth/action', { challengeIdentifier, firstFactor: client.factor(challenge) });
  expect((await sign(person.client)).status).toBe(401);
  expect((await sign(other)).status).toBe(400);
});

test('400: an unknown member, or a string where a boolean belongs', async () => {
  const person = await api.createPerson(orgId);
  for (const body of [{ allSessions: 'yes' }, { all: true }]) expect((await logOut(person.client, body)).status).toBe(400);
  expect(await statusOf(person.client)).toBe(200);
});

test('401: the session has already ended', async () => {
  const person = await api.createPerson(orgId);
  await logOut(person.client);
  expect((await logOut(person.client)).status).toBe(401);
});

test('403: a personal access token and a service account, which have no session', async () => {
  const person = await api.createPerson(orgId);
  const account = await api.createPerson(orgId, { isServiceAccount: true });
  for (const client of [await another(person, 'Pat'), account.client]) {
    expect(await logOut(client)).toMatchObject({
      status: 403,
      body: { error: { message: expect.stringMatching(/\(logout\)$/) } },
    });
    expect(await statusOf(client)).toBe(client === account.client ? 403 : 200);
  }
});
