import { noteAnswer } from '../../../support/examples';
import { CLIENT, REDIRECT_URI } from '../../../support/identity-provider';
import { EMPLOYEES, type OidcApi, REFUSED, startOidcApi } from '../../../support/oidc-api';

let api: OidcApi;
let orgId: string;
beforeAll(async () => {
  api = await startOidcApi();
  orgId = await api.createOrg();
});
afterAll(() => api?.close());

const asked = () => ({ orgId, clientId: CLIENT.clientId, redirectUri: REDIRECT_URI });
const begin = (body: Record<string, unknown>) => api.post('/auth/login/sso/init', { ...asked(), ...body });

test('200: the returned address requests a code with a PKCE challenge; state and nonce are new each time', async () => {
  const [one, other] = [await begin({}), await begin({})];
  const queries = [one, other].map(({ body }) => new URL(String(body['ssoRedirectUrl'])).searchParams);
  expect(one.status).toBe(200);
  expect(new URL(String(one.body['ssoRedirectUrl'])).origin).toBe(api.provider.issuer);
  expect(Object.fromEntries(queries[0] ?? [])).toEqual({
    response_type: 'code',
    client_id: CLIENT.clientId,
    redirect_uri: REDIRECT_URI,
    scope: 'openid email profile',
    code_challenge: expect.stringMatching(/^[\w-]{43}$/),
    code_challenge_method: 'S256',
    state: expect.stringMatching(/^or-[a-z0-9-]+\.ch-[a-z0-9-]+\.[\w-]{43}$/),
    nonce: expect.stringMatching(/^[\w-]{43}$/),
  });
  for (const name of ['state', 'nonce', 'code_challenge']) expect(queries[0]?.get(name)).not.toBe(queries[1]?.get(name));
  noteAnswer('ssoLoginInit', asked(), one);
});

test('401: the answer is the same for an unknown organisation, an organisation without a provider and a wrong client; no row is stored', async () => {
  const none = await api.createOrganization();
  const social = await api.createOrg({ provider: null, socialProviders: [{ issuer: api.provider.issuer, audiences: ['app'] }] });
  const unknown = 'or-01m7y-p9fnq-dh7smbz6kn20v8d3';
  for (const wrong of [{ orgId: unknown }, { orgId: none }, { orgId: social }, { clientId: 'strongroom-post' }]) {
    expect(await begin(wrong)).toEqual(REFUSED);
  }
  const { db } = api.database;
  expect(await db.withOrg(none, (tx) => tx.query('SELECT id FROM challenges'))).toEqual([]);
});

test.each([
  'http://localhost:3000.example.org/sso',
  'http://localhost:3001/sso',
  'https://localhost:3000/sso',
  'http://somebody@localhost:3000/sso',
  'http://localhost:3000/sso#fragment',
  'http://evil.example.org/?http://localhost:3000',
])('400: %s is refused as a redirect address', async (redirectUri) => {
  const issue = { path: 'body.redirectUri', message: expect.any(String) };
  expect(await begin({ redirectUri })).toMatchObject({ status: 400, body: { error: { details: { issues: [issue] } } } });
});

test.each([
  ['body.orgId', { orgId: 'us-01m7y-p9fnq-dh7smbz6kn20v8d3' }],
  ['body.redirectUri', { redirectUri: 'javascript:alert(1)' }],
  ['body.clientId', { clientId: '' }],
  ['body.scope', { scope: 'openid' }],
])('400: the error reports an invalid %s', async (path, wrong) => {
  expect(await begin(wrong)).toMatchObject({ status: 400, body: { error: { details: { issues: [{ path }] } } } });
});

test('503: the provider cannot be reached', async () => {
  const org = await api.createOrg({ provider: { ...EMPLOYEES, issuer: `${api.provider.issuer}/nobody` } });
  const error = { id: 'IdentityProviderUnavailable', status: 503, message: 'The identity provider cannot be asked right now' };
  expect(await begin({ orgId: org })).toEqual({ status: 503, body: { error } });
});
