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
const begin = (body: Record<string, unknown>) => api.post('/auth/login/oidc/init', { ...asked(), ...body });

test('200: the person is redirected to the provider of the organisation', async () => {
  const answer = await begin({});
  expect(answer.status).toBe(200);
  expect(String(answer.body['ssoRedirectUrl'])).toContain(`${api.provider.issuer}/auth?`);
  noteAnswer('oidcLoginInit', asked(), answer);
});

test('400: the redirect leads to the page of another site', async () => {
  expect((await begin({ redirectUri: 'https://example.org/sso' })).status).toBe(400);
});

test('401: a different client gets the same answer as an unknown organisation', async () => {
  expect(await begin({ clientId: 'another' })).toEqual(REFUSED);
  expect(await begin({ orgId: 'or-01m7y-p9fnq-dh7smbz6kn20v8d3' })).toEqual(REFUSED);
});

test('503: the provider cannot be reached', async () => {
  const org = await api.createOrg({ provider: { ...EMPLOYEES, issuer: `${api.provider.issuer}/nobody` } });
  expect((await begin({ orgId: org })).status).toBe(503);
});
