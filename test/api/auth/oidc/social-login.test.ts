import { OidcIdentityEntity } from '../../../../entities/oidc/oidc-identity.entity';
import { noteAnswer } from '../../../support/examples';
import type { Forgery } from '../../../support/identity-provider';
import { type OidcApi, REFUSED, startOidcApi } from '../../../support/oidc-api';

let api: OidcApi;
let orgId: string;
let userId: string;
beforeAll(async () => {
  api = await startOidcApi();
  orgId = await createOrg();
  userId = await api.addUser(orgId, { username: 'ada@example.org', kind: 'EndUser' });
});
afterAll(() => api?.close());

const AUDIENCES = ['the-app', 'the-web-app'];
const createOrg = () => api.createOrg({ socialProviders: [{ issuer: api.provider.issuer, audiences: AUDIENCES }] });
const now = () => Math.floor(Date.now() / 1_000);
let issued = 0;

/** The id token of a person who has just signed in to the app. Each id token is different. */
const idToken = ({ claims, ...forgery }: Forgery = {}) => {
  const given = { sub: 'ada', aud: 'the-app', email: 'ada@example.org', email_verified: true, iat: now(), exp: now() + 600 };
  return api.provider.mint({ ...forgery, claims: { ...given, jti: String(++issued), ...claims } });
};
const asked = (token: string, org = orgId) => ({ socialLoginProviderKind: 'Oidc', idToken: token, orgId: org });
const bring = (token: string, org?: string) => api.post('/auth/login/social', asked(token, org));

test('200: an end user is recognised the first time by a verified address, and later by issuer and subject', async () => {
  const token = await idToken();
  const { status, body } = await bring(token);
  expect({ status, body }).toEqual({ status: 200, body: { token: expect.any(String) } });
  noteAnswer('socialLogin', asked(token), { status, body });
  expect((await api.get('/auth/credentials', String(body['token']))).status).toBe(200);
  expect((await bring(await idToken({ claims: { aud: 'the-web-app', email: null } }))).status).toBe(200);
  expect(await api.database.db.read(orgId).rows(OidcIdentityEntity, '')).toMatchObject([{ subject: 'ada', userId }]);
});

test('401: an id token is used again; sent forty times at once, or with its signature in another spelling, it logs in only once', async () => {
  const token = await idToken();
  const answers = await Promise.all(Array.from({ length: 40 }, () => bring(token)));
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  expect(await bring(token)).toEqual(REFUSED);
  // The last base64url letter of a signature of 256 bytes carries unused bits.
  const last = token.at(-1) ?? '';
  const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
  const same = letters[letters.indexOf(last) ^ 1] ?? '';
  expect(await bring(token.slice(0, -1) + same)).toEqual(REFUSED);
});

test('401: the answer is the same for another organisation, an unknown one, one without a provider, and a missing one', async () => {
  for (const org of [await api.createOrganization(), await createOrg(), 'or-01m7y-p9fnq-dh7smbz6kn20v8d3']) {
    expect(await bring(await idToken(), org)).toEqual(REFUSED);
  }
  const answer = await api.post('/auth/login/social', { socialLoginProviderKind: 'Oidc', idToken: await idToken() });
  expect(answer).toEqual(REFUSED);
});

test.each<[string, () => Forgery]>([
  ['another issuer', () => ({ claims: { iss: 'https://accounts.example.org' } })],
  ['another audience', () => ({ claims: { aud: 'somebody-else' } })],
  ['the client of the employees as its audience', () => ({ claims: { aud: 'strongroom' } })],
  ['an additional audience', () => ({ claims: { aud: ['the-app', 'somebody-else'] } })],
  ['an expiry in the past', () => ({ claims: { exp: now() - 120 } })],
  ['no expiry', () => ({ claims: { exp: null } })],
  ['no iat', () => ({ claims: { iat: null } })],
  ['an iat some hours in the past', () => ({ claims: { iat: now() - 7_200 } })],
  ['no subject', () => ({ claims: { sub: null } })],
  ['no signature', () => ({ header: { alg: 'none' } })],
  ['a shared secret', () => ({ header: { alg: 'HS256' }, hmacSecret: 'a client secret that is hard to guess' })],
  ['a stranger’s signature under a key id of the provider', () => ({ header: { stranger: true } })],
])('401: an id token with %s is not accepted', async (_, forgery) => {
  expect(await bring(await idToken(forgery()))).toEqual(REFUSED);
});

test.each(['', 'x', 'a.b.c', `${'a'.repeat(9_000)}.b.c`, 'eyJhbGciOiJub25lIn0..'])(
  '400 or 401: %.12s… is not an id token',
  async (token) => {
    const { status } = await bring(token);
    expect(status).toBe(token === '' ? 400 : 401);
  },
);

test('401: an employee, an unknown, unregistered or deactivated user and an unverified address get the same answer', async () => {
  const org = await createOrg();
  await api.addUser(org, { username: 'employee@example.org' });
  await api.addUser(org, { username: 'new@example.org', kind: 'EndUser', isRegistered: false });
  await api.addUser(org, { username: 'out@example.org', kind: 'EndUser', isActive: false });
  await api.addUser(org, { username: 'gone@example.org', kind: 'EndUser', dateArchived: new Date() });
  await api.addUser(org, { username: 'plain@example.org', kind: 'EndUser' });
  for (const name of ['employee', 'nobody', 'new', 'out', 'gone']) {
    expect(await bring(await idToken({ claims: { sub: name, email: `${name}@example.org` } }), org)).toEqual(REFUSED);
  }
  const unverified = { sub: 'plain', email: 'plain@example.org', email_verified: false };
  expect(await bring(await idToken({ claims: unverified }), org)).toEqual(REFUSED);
  expect(await bring(await idToken({ claims: { ...unverified, email_verified: null } }), org)).toEqual(REFUSED);
  expect(await api.database.db.read(org).rows(OidcIdentityEntity, '')).toEqual([]);
  expect((await bring(await idToken({ claims: { ...unverified, email_verified: true } }), org)).status).toBe(200);
});

test('503: the provider does not return its keys', async () => {
  const issuer = `${api.provider.issuer}/nobody`;
  const org = await api.createOrg({ socialProviders: [{ issuer, audiences: AUDIENCES }] });
  expect((await bring(await idToken({ claims: { iss: issuer } }), org)).status).toBe(503);
});

test('400: the body is invalid, and the error contains the path of the fault', async () => {
  const answer = await api.post('/auth/login/social', { socialLoginProviderKind: 'Saml', idToken: 'a.b.c' });
  expect(answer).toMatchObject({
    status: 400,
    body: { error: { details: { issues: [{ path: 'body.socialLoginProviderKind' }] } } },
  });
});
