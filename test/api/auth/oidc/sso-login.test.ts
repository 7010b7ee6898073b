import { OidcIdentityEntity } from '../../../../entities/oidc/oidc-identity.entity';
import { UserEntity } from '../../../../entities/users/user.entity';
import { noteAnswer } from '../../../support/examples';
import { CLIENT, POST_CLIENT, PUBLIC_CLIENT } from '../../../support/identity-provider';
import { EMPLOYEES, type OidcApi, REFUSED, startOidcApi } from '../../../support/oidc-api';
import { waitUntil } from '../../../support/wait-until';

let api: OidcApi;
let orgId: string;
beforeAll(async () => {
  api = await startOidcApi();
  orgId = await api.createOrg();
  await api.provider.setAccounts({
    ada: { email: 'Ada@example.com', email_verified: true, name: 'Ada L.' },
    bob: { email: 'bob@example.com', email_verified: true },
    'bob-2': { email: 'bob@example.com', email_verified: true },
    cyd: { email: 'cyd@example.com', email_verified: true },
    dan: { email: 'dan@example.com', email_verified: true },
    eve: { email: 'eve@elsewhere.org', email_verified: true },
    una: { email: 'una@example.com', email_verified: false },
    kelvin: { email: '\u212aay@example.com', email_verified: true },
  });
});
afterAll(() => api?.close());
afterEach(() => api.provider.lie(undefined));

const refusedBut = async (rows: () => Promise<unknown>, attempt: () => Promise<unknown>) => {
  const before = await rows();
  expect(await attempt()).toEqual(REFUSED);
  expect(await rows()).toEqual(before);
};
const people = (org: string) => async () => [
  await api.database.db.read(org).rows(UserEntity, 'ORDER BY t.id'),
  await api.database.db.read(org).rows(OidcIdentityEntity, 'ORDER BY t.subject'),
];

describe('the people who may sign in', () => {
  test('200: an unknown person becomes a user without rights at the first sign-in and stays the same user', async () => {
    const org = await api.createOrg();
    const brought = await api.browse(org, 'ada');
    const first = await api.post('/auth/login/sso', brought);
    expect(first).toEqual({ status: 200, body: { token: expect.any(String) } });
    noteAnswer('ssoLogin', brought, first);
    const user = await api.findUser(org, 'ada@example.com');
    expect(user).toMatchObject({ kind: 'CustomerEmployee', name: 'Ada L.', isRegistered: false, isSsoRequired: true });
    expect(await api.get('/auth/credentials', String(first.body['token']))).toMatchObject({ status: 200, body: { items: [] } });
    expect((await api.get('/auth/users', String(first.body['token']))).status).toBe(403);

    expect((await api.signIn(org, 'ada')).status).toBe(200);
    const identities = await api.database.db.read(org).rows(OidcIdentityEntity, '');
    expect(identities).toEqual([expect.objectContaining({ issuer: api.provider.issuer, subject: 'ada', userId: user?.id })]);
  });

  test('200: a known user is recognised the first time by a verified address, and later by issuer and subject', async () => {
    const org = await api.createOrg();
    const userId = await api.addUser(org, { username: 'Bob@Example.com' });
    expect((await api.signIn(org, 'bob')).status).toBe(200);
    await api.provider.lie({ claims: { email: 'robert@elsewhere.org', email_verified: false } });
    expect((await api.signIn(org, 'bob')).status).toBe(200);
    expect(await api.database.db.read(org).rows(OidcIdentityEntity, '')).toMatchObject([{ subject: 'bob', userId }]);
  });

  test('200: a client that sends its secret in the body, or has none, signs in with its code and verifier', async () => {
    for (const client of [POST_CLIENT, PUBLIC_CLIENT]) {
      const org = await api.createOrg({
        provider: { ...EMPLOYEES, clientSecret: undefined, issuer: api.provider.issuer, ...client },
      });
      expect((await api.signIn(org, 'ada', { clientId: client.clientId })).status).toBe(200);
    }
  });

  test('401: the person has taken over the address of another user', async () => {
    const org = await api.createOrg();
    await api.signIn(org, 'bob');
    await refusedBut(people(org), () => api.signIn(org, 'bob-2'));
  });

  test.each([
    ['of another domain', 'eve'],
    ['that is not verified', 'una'],
    ['with a look-alike letter', 'kelvin'],
  ])('401: an address %s neither creates a user nor links one to the provider', async (_, account) => {
    const org = await api.createOrg();
    await api.addUser(org, { username: 'una@example.com' });
    await api.addUser(org, { username: 'kay@example.com' });
    await refusedBut(people(org), () => api.signIn(org, account));
  });

  test('401: onboarding is off, and no user is created for an unknown person', async () => {
    const org = await api.createOrg({ provider: { ...EMPLOYEES, issuer: api.provider.issuer, onboardsNewUsers: false } });
    await refusedBut(people(org), () => api.signIn(org, 'cyd'));
  });

  test.each([
    ['deactivated', { isActive: false }],
    ['an end user', { kind: 'EndUser' as const }],
    ['a service account', { isServiceAccount: true }],
    ['archived', { dateArchived: new Date() }],
  ])('401: a user who is %s cannot sign in, with or without a link to the provider', async (_, change) => {
    const org = await api.createOrg();
    const userId = await api.addUser(org, { username: 'cyd@example.com', ...change });
    await refusedBut(people(org), () => api.signIn(org, 'cyd'));

    await api.signIn(org, 'dan');
    const dan = await api.findUser(org, 'dan@example.com');
    await api.database.db.withOrg(org, (tx) => tx.update(UserEntity, { id: dan?.id ?? userId }, change));
    await refusedBut(people(org), () => api.signIn(org, 'dan'));
  });

  test('200: an archived user comes back when an administrator creates the user again', async () => {
    const org = await api.createOrg();
    await api.signIn(org, 'dan');
    const dan = await api.findUser(org, 'dan@example.com');
    await api.database.db.withOrg(org, (tx) => tx.update(UserEntity, { id: dan?.id ?? '' }, { dateArchived: new Date() }));
    expect(await api.signIn(org, 'dan')).toEqual(REFUSED);
    const userId = await api.addUser(org, { username: 'dan@example.com' });
    expect((await api.signIn(org, 'dan')).status).toBe(200);
    expect(await api.database.db.read(org).rows(OidcIdentityEntity, '')).toMatchObject([{ subject: 'dan', userId }]);
  });
});

describe('the id tokens that are accepted', () => {
  const now = () => Math.floor(Date.now() / 1_000);
  test.each([
    ['a wrong nonce', () => ({ claims: { nonce: 'another' } })],
    ['no nonce', () => ({ claims: { nonce: null } })],
    ['another issuer', () => ({ claims: { iss: 'https://accounts.example.org' } })],
    ['another audience', () => ({ claims: { aud: 'somebody-else' } })],
    ['an additional audience', () => ({ claims: { aud: [CLIENT.clientId, 'somebody-else'] } })],
    ['another authorised party', () => ({ claims: { azp: 'somebody-else' } })],
    ['an expiry in the past', () => ({ claims: { exp: now() - 120, iat: now() - 180 } })],
    ['no expiry', () => ({ claims: { exp: null } })],
    ['an nbf in the future', () => ({ claims: { iat: now() + 7_200, nbf: now() + 3_600, exp: now() + 9_000 } })],
    ['no subject', () => ({ claims: { sub: null } })],
    ['no signature', () => ({ header: { alg: 'none' } })],
    ['the client secret as its signing key', () => ({ header: { alg: 'HS256' }, hmacSecret: CLIENT.clientSecret })],
    ['a stranger’s signature under a key id of the provider', () => ({ header: { stranger: true } })],
    ['its signing key in its own header', () => ({ header: { stranger: true, kid: 'unknown', jwk: { kty: 'oct', k: 'AA' } } })],
  ])('401: an id token with %s is not accepted', async (_, forgery) => {
    await api.provider.lie(forgery());
    await refusedBut(people(orgId), () => api.signIn(orgId, 'cyd'));
  });

  test('200: the service loads new keys after the provider has rotated its keys', async () => {
    await api.signIn(orgId, 'ada');
    await api.provider.rotateKeys();
    await waitUntil('the new key', async () => (await api.signIn(orgId, 'ada')).status === 200, 30_000);
  });
});

describe('the provider’s answer, which the browser sends', () => {
  const complete = (body: unknown) => api.post('/auth/login/sso', body);

  test('401: an answer is sent twice, or its code is sent with a new state', async () => {
    const brought = await api.browse(orgId, 'ada');
    expect((await complete(brought)).status).toBe(200);
    expect(await complete(brought)).toEqual(REFUSED);
    const { state } = await api.browse(orgId, 'ada');
    expect(await complete({ code: brought.code, state })).toEqual(REFUSED);
  });

  test('401: the code is sent with the state of another sign-in, and this ends the other sign-in', async () => {
    const [mine, theirs] = [await api.browse(orgId, 'ada'), await api.browse(orgId, 'bob')];
    expect(await complete({ code: theirs.code, state: mine.state })).toEqual(REFUSED);
    expect(await complete(mine)).toEqual(REFUSED);
  });

  test('401: the state is altered, or is used for another organisation or for an operation other than the SSO login', async () => {
    const { code, state } = await api.browse(orgId, 'ada');
    const [, id = '', secret = ''] = state.split('.');
    const other = await api.createOrg();
    for (const wrong of [
      `${other}.${id}.${secret}`,
      `${orgId}.${id}.${secret.slice(0, -1)}`,
      `${orgId}.${id}`,
      state.toUpperCase(),
      'x',
      secret,
    ]) {
      expect(await complete({ code, state: wrong })).toEqual(REFUSED);
    }
    expect(await api.post('/auth/login/oidc', { code, state })).toEqual(REFUSED);
    expect((await complete({ code, state })).status).toBe(200);
  });

  test('401: the state has expired', async () => {
    const brought = await api.browse(orgId, 'ada');
    const [, id = ''] = brought.state.split('.');
    const { db } = api.database;
    const left = await db.withOrg(orgId, (tx) =>
      tx.query<{ seconds: number }>(
        `UPDATE challenges SET date_expires = clock_timestamp() WHERE id = $1
         RETURNING extract(epoch FROM date_expires - date_created)::float8 AS seconds`,
        [id],
      ),
    );
    expect(left).toHaveLength(1);
    expect(await complete(brought)).toEqual(REFUSED);
  });

  test('401: the provider was changed after the sign-in began', async () => {
    const org = await api.createOrg();
    const brought = await api.browse(org, 'ada');
    await api.setSso(org, { provider: { ...EMPLOYEES, ...POST_CLIENT, issuer: api.provider.issuer } });
    expect(await complete(brought)).toEqual(REFUSED);
    const again = await api.browse(org, 'ada', { clientId: POST_CLIENT.clientId });
    await api.setSso(org, { provider: null });
    expect(await complete(again)).toEqual(REFUSED);
  });

  test('401: one answer is used forty times at once, and exactly one use succeeds', async () => {
    const brought = await api.browse(orgId, 'ada');
    const answers = await Promise.all(Array.from({ length: 40 }, () => complete(brought)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.filter(({ status }) => status !== 200)).toEqual(Array.from({ length: 39 }, () => REFUSED));
  });

  test('200: an unknown person who signs in from twenty windows at once becomes one user', async () => {
    const org = await api.createOrg();
    const brought = await Promise.all(Array.from({ length: 20 }, () => api.browse(org, 'ada')));
    const answers = await Promise.all(brought.map(complete));
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    expect(await api.database.db.read(org).rows(UserEntity, '')).toHaveLength(1);
  });

  test('400: the body is invalid, and the error contains the path of the fault', async () => {
    const unknown = await complete({ code: 'a', state: 'b', more: 1 });
    expect(unknown).toMatchObject({ status: 400, body: { error: { details: { issues: [{ path: 'body.more' }] } } } });
    const missing = await complete({ code: 'a' });
    expect(missing).toMatchObject({ status: 400, body: { error: { details: { issues: [{ path: 'body.state' }] } } } });
  });
});

test('200: no row, answer or log line contains a secret of a sign-in', async () => {
  const { code, state } = await api.browse(orgId, 'ada');
  await api.post('/auth/login/sso', { code, state });
  const { db } = api.database;
  const rows = JSON.stringify(await db.withOrg(orgId, (tx) => tx.query(`SELECT row_to_json(c)::text FROM challenges c`)));
  const [, , secret = ''] = state.split('.');
  for (const text of [rows, api.log.join('\n')]) {
    for (const word of [secret, code, CLIENT.clientSecret]) expect(text).not.toContain(word);
  }
});
