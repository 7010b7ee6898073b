import { formOf, NOT_AUTHORIZED, type SignInApi, startSignInApi } from '../../../support/sign-in-api';

let api: SignInApi;
let orgId: string;
beforeAll(async () => {
  api = await startSignInApi();
  orgId = await api.createOrganization();
});
afterAll(() => api?.close());

const UNKNOWN_ORG = 'or-01abc-01abc-0123456789abcdef';
const init = (body: unknown) => api.call('POST', '/auth/login/init', body);
const shown = async (username: string, org = orgId) => {
  const { body } = await init({ orgId: org, username });
  return body['allowCredentials'] as Record<'key' | 'webauthn' | 'passwordProtectedKey', { id: string }[]>;
};

test('200: the answer lists the credentials with which the person may sign, and every supported kind of credential', async () => {
  const person = await api.createPerson(orgId);
  const passkey = await api.addPasskey(person);
  await api.addKey(person, 'RecoveryKey');
  const { status, body } = await init({ orgId, username: person.username.toUpperCase() });
  expect(status).toBe(200);
  expect(body).toEqual({
    challenge: expect.stringMatching(/^[A-Za-z0-9_-]{43}$/),
    challengeIdentifier: expect.any(String),
    rp: { id: 'localhost', name: 'Strongroom' },
    supportedCredentialKinds: [
      { kind: 'Fido2', factor: 'either', requiresSecondFactor: false },
      { kind: 'Key', factor: 'either', requiresSecondFactor: false },
      { kind: 'PasswordProtectedKey', factor: 'either', requiresSecondFactor: false },
      { kind: 'Password', factor: 'first', requiresSecondFactor: true },
      { kind: 'Totp', factor: 'second', requiresSecondFactor: false },
    ],
    userVerification: 'required',
    attestation: 'direct',
    allowCredentials: {
      key: [{ type: 'public-key', id: person.credId }],
      passwordProtectedKey: [],
      webauthn: [{ type: 'public-key', id: passkey.credId }],
    },
    externalAuthenticationUrl: '',
  });
});

test('200: for an unknown user the answer has the same format, and its token does not identify a person', async () => {
  const person = await api.createPerson(orgId);
  const answers = await Promise.all([
    init({ orgId, username: person.username }),
    init({ orgId, username: 'nobody@example.com' }),
    init({ orgId: UNKNOWN_ORG, username: person.username }),
    init({ orgId: 'no id at all', username: person.username }),
  ]);
  const forms = answers.map(({ status, body: { allowCredentials, ...body } }) => {
    const lists = Object.keys(allowCredentials as object);
    const [, payload = ''] = String(body['challengeIdentifier']).split('.');
    const claims = JSON.parse(Buffer.from(payload, 'base64url').toString()) as Record<string, string>;
    expect(claims['sub']).toBe(claims['jti']);
    return { status, lists, form: formOf(body), claims: Object.keys(claims), kinds: body['supportedCredentialKinds'] };
  });
  expect(new Set(forms.map((form) => JSON.stringify(form))).size).toBe(1);
});

test('200: the invented credentials for an unknown name are the same in any spelling, and differ between names and organisations', async () => {
  const names = Array.from({ length: 30 }, (_, index) => `nobody-${index}@example.com`);
  const first = await Promise.all(names.map((name) => shown(name)));
  expect(await Promise.all(names.map((name) => shown(name.toUpperCase())))).toEqual(first);
  const elsewhere = await Promise.all(names.map((name) => shown(name, UNKNOWN_ORG)));
  expect(elsewhere).not.toEqual(first);
  const ids = [...first, ...elsewhere].flatMap(({ key, webauthn }) => [...key, ...webauthn].map(({ id }) => id));
  expect(new Set(ids).size).toBe(ids.length);
  // Some invented credentials are only a key, so that a person who has only a key does not stand out.
  expect(first.some(({ key, webauthn }) => key.length > 0 && webauthn.length === 0)).toBe(true);
  expect(first.some(({ key, webauthn }) => key.length === 0 && webauthn.length > 0)).toBe(true);
});

test('200: the answer for a deactivated user still shows the same credentials', async () => {
  const person = await api.createPerson(orgId);
  const before = await shown(person.username);
  await api.change(orgId, 'UPDATE users SET is_active = false WHERE org_id = $1 AND id = $2', [person.userId]);
  expect(await shown(person.username)).toEqual(before);
});

test('200: a login without a name accepts the passkey of any person', async () => {
  const { status, body } = await init({ orgId });
  expect(status).toBe(200);
  expect(body['allowCredentials']).toEqual({ key: [], passwordProtectedKey: [], webauthn: [] });
});

test('200: encrypted private keys are returned only for a mailed code, and only once for each code', async () => {
  const person = await api.createPerson(orgId, { name: 'protected' });
  const key = await api.addKey(person, 'PasswordProtectedKey');
  expect((await shown(person.username)).passwordProtectedKey).toEqual([]);
  await api.call('POST', '/auth/login/code', { orgId, username: person.username });
  const loginCode = await api.mailedCode(person, 'LoginCode');
  const answers = await api.inParallel(async () => {
    const answer = await init({ orgId, username: person.username, loginCode });
    if (answer.status === 200) {
      expect(answer.body['allowCredentials']).toMatchObject({
        passwordProtectedKey: [{ type: 'public-key', id: key.credId, encryptedPrivateKey: key.encryptedPrivateKey }],
      });
    }
    return answer;
  });
  expect(answers).toEqual({ 200: 1, 401: 39 });
});

test('401: the code is not valid, and the answer is the same for every user', async () => {
  const person = await api.createPerson(orgId);
  const other = await api.createPerson(await api.createOrganization());
  await api.call('POST', '/auth/login/code', { orgId, username: person.username });
  const loginCode = await api.mailedCode(person, 'LoginCode');
  const refusals = await Promise.all([
    init({ orgId, username: person.username, loginCode: '000-000-000' }),
    init({ orgId, username: 'nobody@example.com', loginCode }),
    init({ orgId: other.orgId, username: other.username, loginCode }),
    init({ orgId: UNKNOWN_ORG, username: person.username, loginCode }),
    init({ orgId, loginCode }),
  ]);
  for (const refusal of refusals) expect(refusal).toMatchObject({ status: 401, body: NOT_AUTHORIZED });
});

test('400: a body without an organisation, with an empty name or an unknown member', async () => {
  for (const body of [{}, { orgId: '' }, { orgId, username: '' }, { orgId, userName: 'x' }, { orgId: 'x'.repeat(65) }]) {
    expect(await init(body)).toMatchObject({ status: 400, body: { error: { id: 'InvalidRequest' } } });
  }
});
