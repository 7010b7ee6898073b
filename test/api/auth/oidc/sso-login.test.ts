import { OidcIdentityEntity } from '../../../../entities/oidc/oidc-identity.entity';
import { EMPLOYEES, type OidcApi, startOidcApi } from '../../../support/oidc-api';

let api: OidcApi;
beforeAll(async () => {
  api = await startOidcApi();
  await api.provider.setAccounts({
    ada: { email: 'Ada@example.com', email_verified: true, name: 'Ada L.' },
    bob: { email: 'bob@example.com', email_verified: true },
    eve: { email: 'eve@elsewhere.org', email_verified: true },
    una: { email: 'una@example.com', email_verified: false },
  });
});
afterAll(() => api?.close());
afterEach(() => api.provider.lie(undefined));

const NOT_AUTHORIZED = { error: { id: 'Unauthorized', status: 401, message: 'Not Authorized.' } };

test('200: somebody unknown becomes a user with no rights at the first sign-in and stays the same at the next', async () => {
  const orgId = await api.createOrg();
  const first = await api.signIn(orgId, 'ada');
  expect(first).toEqual({ status: 200, body: { token: expect.any(String) } });
  const user = await api.findUser(orgId, 'ada@example.com');
  expect(user).toMatchObject({
    kind: 'CustomerEmployee',
    name: 'Ada L.',
    isActive: true,
    isRegistered: false,
    isSsoRequired: true,
  });
  expect(await api.get('/auth/credentials', String(first.body['token']))).toMatchObject({ status: 200, body: { items: [] } });
  expect((await api.get('/auth/users', String(first.body['token']))).status).toBe(403);

  expect((await api.signIn(orgId, 'ada')).status).toBe(200);
  const identities = await api.database.db.read(orgId).rows(OidcIdentityEntity, '');
  expect(identities).toEqual([expect.objectContaining({ issuer: api.provider.issuer, subject: 'ada', userId: user?.id })]);
});
