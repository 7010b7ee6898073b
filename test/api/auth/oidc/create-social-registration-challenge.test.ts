import { OidcIdentityEntity } from '../../../../entities/oidc/oidc-identity.entity';
import { UserEntity } from '../../../../entities/users/user.entity';
import { noteAnswer } from '../../../support/examples';
import { type OidcApi, REFUSED, startOidcApi } from '../../../support/oidc-api';
import { withKey } from '../../../support/registration-api';

let api: OidcApi;
let orgId: string;
beforeAll(async () => {
  api = await startOidcApi();
  orgId = await api.createOrg({ socialProviders: [{ issuer: api.provider.issuer, audiences: ['the-app'] }] });
});
afterAll(() => api?.close());

let issued = 0;
const idToken = (sub: string, claims: Record<string, unknown> = {}) => {
  const now = Math.floor(Date.now() / 1_000);
  const given = { sub, aud: 'the-app', email: `${sub}@example.org`, email_verified: true, iat: now, exp: now + 600 };
  return api.provider.mint({ claims: { ...given, jti: String(++issued), ...claims } });
};
const asked = (token: string, org = orgId) => ({ socialLoginProviderKind: 'Oidc', idToken: token, orgId: org });
const send = (path: string, token: string, org?: string) => api.post(path, asked(token, org));
const register = (token: string, org?: string) => send('/auth/registration/social', token, org);
const login = (token: string) => send('/auth/login/social', token);

test('200: an unknown person becomes an end user, registers, and logs in through the provider from then on', async () => {
  const token = await idToken('ada', { name: 'Ada L.' });
  expect(await login(token)).toEqual(REFUSED);
  const begun = await register(token);
  const user = await api.findUser(orgId, 'ada@example.org');
  expect(user).toMatchObject({ kind: 'EndUser', name: 'Ada L.', isRegistered: false, isSsoRequired: false });
  expect(begun).toMatchObject({ status: 200, body: { user: { id: user?.id } } });
  noteAnswer('createSocialRegistrationChallenge', asked(token), begun);
  expect(await login(token)).toEqual(REFUSED);
  const { challenge, temporaryAuthenticationToken } = begun.body as Record<string, string>;
  const done = await api.post('/auth/registration', withKey(challenge ?? ''), temporaryAuthenticationToken);
  expect(done).toMatchObject({ status: 200, body: { user: { id: user?.id } } });
  expect(await login(token)).toEqual({ status: 200, body: { token: expect.any(String) } });
  expect(await api.database.db.read(orgId).rows(OidcIdentityEntity, '')).toMatchObject([{ subject: 'ada', userId: user?.id }]);
});

test('401: an id token is used again; even when it is sent forty times at once, it begins only one registration', async () => {
  const token = await idToken('bob');
  const answers = await Promise.all(Array.from({ length: 40 }, () => register(token)));
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  expect(answers.filter(({ status }) => status === 401)).toHaveLength(39);
  expect((await register(await idToken('bob'))).status).toBe(200);
  expect(await api.database.db.read(orgId).rows(UserEntity, 'WHERE t.username = $1', ['bob@example.org'])).toHaveLength(1);
});

test('401: the user is registered already, and the answer may reveal this because the provider has just identified the user', async () => {
  await api.addUser(orgId, { username: 'cyd@example.org', kind: 'EndUser' });
  const error = { id: 'UserExists', status: 401, message: 'User already exists.' };
  expect(await register(await idToken('cyd'))).toEqual({ status: 401, body: { error } });
});

test('401: an employee, a deactivated or archived user and an unverified address get the same answer', async () => {
  await api.addUser(orgId, { username: 'employee@example.org', isRegistered: false });
  await api.addUser(orgId, { username: 'out@example.org', kind: 'EndUser', isActive: false, isRegistered: false });
  await api.addUser(orgId, { username: 'gone@example.org', kind: 'EndUser', dateArchived: new Date() });
  const before = await api.database.db.read(orgId).rows(UserEntity, 'ORDER BY t.id');
  for (const name of ['employee', 'out', 'gone']) expect(await register(await idToken(name))).toEqual(REFUSED);
  expect(await register(await idToken('dan', { email_verified: false }))).toEqual(REFUSED);
  expect(await register(await idToken('dan', { email: null }))).toEqual(REFUSED);
  expect(await register(await idToken('dan', { aud: 'strongroom' }))).toEqual(REFUSED);
  expect(await register(await idToken('dan'), await api.createOrganization())).toEqual(REFUSED);
  expect(await register(await idToken('dan'), 'or-01m7y-p9fnq-dh7smbz6kn20v8d3')).toEqual(REFUSED);
  expect(await api.database.db.read(orgId).rows(UserEntity, 'ORDER BY t.id')).toEqual(before);
});

test('400: the body is invalid, and the error contains the path of the fault', async () => {
  const answer = await api.post('/auth/registration/social', { socialLoginProviderKind: 'Oidc' });
  expect(answer).toMatchObject({ status: 400, body: { error: { details: { issues: [{ path: 'body.idToken' }] } } } });
});

test('503: the provider does not return its keys', async () => {
  const issuer = `${api.provider.issuer}/nobody`;
  const org = await api.createOrg({ socialProviders: [{ issuer, audiences: ['the-app'] }] });
  expect((await register(await idToken('eli', { iss: issuer }), org)).status).toBe(503);
});
