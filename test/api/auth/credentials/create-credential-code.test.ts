import { type CredentialApi, startCredentialApi } from '../../../support/credential-api';

let on: CredentialApi;
beforeAll(async () => {
  on = await startCredentialApi();
});
beforeEach(() => on.forgetGuesses());
afterAll(() => on?.api.close());

const PATH = '/auth/credentials/code';
const ahead = (seconds: number) => new Date(Date.now() + seconds * 1_000);
const use = (code: string) => on.anonymous(`${PATH}/init`, { code, credentialKind: 'Key' });

test('200: a code is returned once, in the format in which people type it, with its expiration', async () => {
  const person = await on.person();
  const expiration = ahead(30);
  const { status, body } = await person.client.change('POST', PATH, { expiration: expiration.toISOString() });
  expect({ status, body }).toEqual({
    status: 200,
    body: {
      code: expect.stringMatching(/^([0-9A-HJKMNP-TV-Z]{3}-){2}[0-9A-HJKMNP-TV-Z]{3}$/),
      expiration: expiration.toISOString(),
    },
  });
  const { code } = body as { code: string };
  const rows = JSON.stringify(await on.api.database.db.read(person.orgId).select('SELECT * FROM one_time_codes'));
  for (const text of [code, code.replace(/-/g, '')]) {
    expect(rows).not.toContain(text);
    expect(on.api.log.join('\n')).not.toContain(text);
  }
  expect((await use(code)).status).toBe(200);
});

test('200: the expiration may be a number of Unix seconds or a date text with a time zone offset', async () => {
  const person = await on.person();
  const seconds = Math.floor(ahead(40).getTime() / 1_000);
  const { body } = await person.client.change('POST', PATH, { expiration: seconds });
  expect(body).toMatchObject({ expiration: new Date(seconds * 1_000).toISOString() });
  const local = new Date(ahead(40).getTime() + 2 * 3_600_000).toISOString().replace('Z', '+02:00');
  expect(await person.client.change('POST', PATH, { expiration: local })).toMatchObject({
    status: 200,
    body: { expiration: new Date(local).toISOString() },
  });
});

test('200: if a fast clock puts the expiration slightly beyond one minute, it is shortened to one minute', async () => {
  const person = await on.person();
  const { status, body } = await person.client.change('POST', PATH, { expiration: ahead(64).toISOString() });
  expect(status).toBe(200);
  const [row] = await on.api.database.db
    .read(person.orgId)
    .select<{ seconds: number }>('SELECT extract(epoch FROM date_expires - date_created)::float8 AS seconds FROM one_time_codes');
  expect(row?.seconds).toBeGreaterThan(59);
  expect(row?.seconds).toBeLessThanOrEqual(60.001);
  expect((body as { expiration: string }).expiration < ahead(61).toISOString()).toBe(true);
});

test('200: a new code makes the earlier code invalid, even when several are requested at once', async () => {
  const person = await on.person();
  const first = await on.code(person);
  // Four codes are few enough. More than five wrong guesses from one address would start a pause.
  const codes = await Promise.all(Array.from({ length: 4 }, () => on.code(person)));
  expect((await use(first)).status).toBe(403);
  const answers = await Promise.all(codes.map(use));
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
});

test.each([
  ['must be in the future', () => ahead(-1).toISOString()],
  ['must be in the future', () => 1],
  ['must be at most 1 minute ahead', () => ahead(70).toISOString()],
  ['must be at most 1 minute ahead', () => Date.now() + 30_000],
])('400: the expiration %s', async (message, expirationOf) => {
  const person = await on.person();
  expect(await person.client.change('POST', PATH, { expiration: expirationOf() })).toMatchObject({
    status: 400,
    body: { error: { id: 'InvalidRequest', details: { issues: [{ path: 'body.expiration', message }] } } },
  });
  expect(await on.api.database.db.read(person.orgId).select('SELECT id FROM one_time_codes')).toEqual([]);
});

test.each([
  ['body.expiration', {}],
  ['body.expiration', { expiration: 'soon' }],
  ['body.expiration', { expiration: 1.5 }],
  ['body.expiration', { expiration: -1 }],
  ['body.expiration', { expiration: Number.MAX_SAFE_INTEGER }],
  ['body.userId', { expiration: 1, userId: 'us' }],
])('400: the error reports an invalid %s', async (path, body) => {
  const person = await on.person();
  expect(await person.client.change('POST', PATH, body)).toMatchObject({
    status: 400,
    body: { error: { id: 'InvalidRequest', details: { issues: [{ path }] } } },
  });
});

test('401 and 403: without a token, by a personal access token, and without a user action', async () => {
  const person = await on.person();
  const body = { expiration: ahead(30).toISOString() };
  expect((await on.anonymous(PATH, body)).status).toBe(401);
  expect(await person.client.post(PATH, body)).toMatchObject({ status: 403, body: { error: { id: 'UserActionInvalid' } } });
  await on.boundTo(person, person.tokenId, await on.key(person));
  expect(await person.client.change('POST', PATH, body).catch(String)).toMatch(/401|403/);
  expect(await person.client.post(PATH, body)).toMatchObject({ status: 403, body: { error: { id: 'Forbidden' } } });
});
