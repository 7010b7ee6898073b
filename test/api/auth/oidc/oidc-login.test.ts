import { noteAnswer } from '../../../support/examples';
import { createKeyCredential } from '../../../support/key-credentials';
import { type OidcApi, REFUSED, startOidcApi } from '../../../support/oidc-api';
import { withKey } from '../../../support/registration-api';

let api: OidcApi;
let orgId: string;
beforeAll(async () => {
  api = await startOidcApi();
  orgId = await api.createOrg();
  await api.provider.setAccounts({
    ada: { email: 'ada@example.com', email_verified: true, name: 'Ada L.' },
    bob: { email: 'bob@example.com', email_verified: true },
  });
});
afterAll(() => api?.close());

const signIn = (account: string) => api.signIn(orgId, account, { pair: 'oidc' });

test('200: a user without a credential registers one, and gets a token at each later login', async () => {
  const brought = await api.browse(orgId, 'ada', { pair: 'oidc' });
  const begun = await api.post('/auth/login/oidc', brought);
  noteAnswer('oidcLogin', brought, begun);
  const user = await api.findUser(orgId, 'ada@example.com');
  expect(begun).toMatchObject({ status: 200, body: { user: { id: user?.id, name: 'ada@example.com' } } });
  expect(begun.body).not.toHaveProperty('token');
  const { challenge, temporaryAuthenticationToken } = begun.body as Record<string, string>;
  const key = createKeyCredential();
  const done = await api.post('/auth/registration', withKey(challenge ?? '', key), temporaryAuthenticationToken);
  expect(done).toMatchObject({ status: 200, body: { user: { id: user?.id, orgId, username: 'ada@example.com' } } });

  const again = await signIn('ada');
  expect(again).toEqual({ status: 200, body: { token: expect.any(String) } });
  const credentials = await api.get('/auth/credentials', String(again.body['token']));
  expect(credentials).toMatchObject({ status: 200, body: { items: [{ kind: 'Key' }] } });
});

test('200: a registration that was begun twice is completed only with the latest challenge', async () => {
  const [first, second] = [(await signIn('bob')).body, (await signIn('bob')).body];
  const complete = ({ challenge, temporaryAuthenticationToken }: Record<string, unknown>) =>
    api.post('/auth/registration', withKey(String(challenge)), String(temporaryAuthenticationToken));
  expect((await complete(first)).status).toBe(401);
  expect((await complete(second)).status).toBe(200);
});

test('200 and 401: an answer that contains its issuer is accepted only if the issuer is right', async () => {
  const right = await api.browse(orgId, 'ada', { pair: 'oidc' });
  expect((await api.post('/auth/login/oidc', { ...right, iss: api.provider.issuer })).status).toBe(200);
  const wrong = await api.browse(orgId, 'ada', { pair: 'oidc' });
  expect(await api.post('/auth/login/oidc', { ...wrong, iss: 'https://accounts.example.org' })).toEqual(REFUSED);
});

test('401: the answer of the provider is used twice, or is used for the SSO operations', async () => {
  const brought = await api.browse(orgId, 'ada', { pair: 'oidc' });
  expect(await api.post('/auth/login/sso', brought)).toEqual(REFUSED);
  const answers = await Promise.all(Array.from({ length: 40 }, () => api.post('/auth/login/oidc', brought)));
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  expect(answers.filter(({ status }) => status === 401)).toHaveLength(39);
});

test('400: the body is invalid, and the error contains the path of the fault', async () => {
  const answer = await api.post('/auth/login/oidc', { code: 'a' });
  expect(answer).toMatchObject({ status: 400, body: { error: { details: { issues: [{ path: 'body.state' }] } } } });
});
