import { type CredentialApi, startCredentialApi } from '../../../support/credential-api';

let on: CredentialApi;
beforeAll(async () => {
  on = await startCredentialApi();
});
afterAll(() => on?.api.close());

const init = (
  person: { client: { post: (path: string, body: unknown) => Promise<{ status: number; body: never }> } },
  body: object,
) => person.client.post('/auth/credentials/init', body);

test('200: for each kind of credential, the challenge has exactly the members that this kind needs', async () => {
  const person = await on.person();
  const passkey = await on.passkey(person);
  const begun = {
    user: { id: person.userId, name: person.username, displayName: 'Person' },
    rp: { id: 'localhost', name: 'Strongroom' },
    challengeIdentifier: expect.stringMatching(/^eyJ/),
    temporaryAuthenticationToken: expect.stringMatching(/^eyJ/),
  };
  const algorithms = [-7, -8, -257].map((alg) => ({ type: 'public-key', alg }));
  const signing = {
    ...begun,
    challenge: expect.stringMatching(/^[\w-]{43}$/),
    attestation: 'direct',
    pubKeyCredParams: algorithms,
  };
  const expected = {
    Fido2: {
      ...signing,
      authenticatorSelection: { residentKey: 'preferred', requireResidentKey: false, userVerification: 'required' },
      excludeCredentials: [{ type: 'public-key', id: passkey.authenticator.credId }],
    },
    Key: signing,
    PasswordProtectedKey: signing,
    RecoveryKey: signing,
    Password: begun,
    Totp: { ...begun, otpUrl: expect.stringMatching(/^otpauth:\/\/totp\/.*secret=[A-Z2-7]{32}/) },
  };
  for (const [kind, members] of Object.entries(expected)) {
    expect(await init(person, { kind })).toMatchObject({ status: 200, body: { ...members, kind } });
    expect(Object.keys((await init(person, { kind })).body).sort()).toEqual(['kind', ...Object.keys(members)].sort());
  }
});

test('200: the temporary token is not accepted as a bearer token, and the seed is stored sealed', async () => {
  const person = await on.person();
  const { otpUrl, ...answer } = await on.begin(person, 'Totp');
  const { temporaryAuthenticationToken: token } = answer as object as { temporaryAuthenticationToken: string };
  for (const path of ['/auth/credentials', '/wallets']) {
    expect((await fetch(`${on.api.url}${path}`, { headers: { authorization: `Bearer ${token}` } })).status).toBe(401);
  }
  const response = await fetch(`${on.api.url}/auth/registration`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: '{}',
  });
  expect(response.status).toBe(401);
  const rows = await on.api.database.db.read(person.orgId).select('SELECT * FROM challenges');
  expect(rows).toHaveLength(1);
  expect(JSON.stringify(rows)).not.toContain(new URL(otpUrl).searchParams.get('secret'));
});

test.each([
  ['body.kind', {}],
  ['body.kind', { kind: 'Passkey' }],
  ['body.credentialKind', { kind: 'Key', credentialKind: 'Key' }],
])('400: the error reports an invalid %s', async (path, body) => {
  expect(await init(await on.person(), body)).toMatchObject({
    status: 400,
    body: { error: { id: 'InvalidRequest', details: { issues: [{ path }] } } },
  });
});

test('403: a personal access token or a service account adds a credential', async () => {
  const person = await on.person();
  await on.boundTo(person, person.tokenId, await on.key(person));
  expect(await init(person, { kind: 'Key' })).toMatchObject({ status: 403, body: { error: { id: 'Forbidden' } } });
  const account = await on.api.createPerson(person.orgId, { isServiceAccount: true });
  expect(await init(account, { kind: 'Key' })).toMatchObject({ status: 403, body: { error: { id: 'Forbidden' } } });
});

test('401: without a token', async () => {
  expect((await on.anonymous('/auth/credentials/init', { kind: 'Key' })).status).toBe(401);
});
