import { type RecoveryApi, startRecoveryApi } from '../../../support/recovery-api';
import { NOT_AUTHORIZED } from '../../../support/sign-in-api';

let api: RecoveryApi;
let orgId: string;
beforeAll(async () => {
  api = await startRecoveryApi();
  orgId = await api.createOrganization();
});
afterAll(() => api?.close());

const UNKNOWN_ORG = 'or-01abc-01abc-0123456789abcdef';
const init = (body: unknown) => api.call('POST', '/auth/recover/user/init', body);
const refused = { status: 401, body: NOT_AUTHORIZED };

const withCode = async () => {
  const person = await api.createRecoverable(orgId);
  await api.call('POST', '/auth/recover/user/code', { orgId, username: person.username });
  const verificationCode = await api.mailedCode(person, 'RecoveryCode');
  const asked = { orgId, username: person.username, verificationCode, credentialId: person.recoveryKey.credId };
  return { person, asked };
};

test('200: the answer has the encrypted recovery key and a challenge for new credentials; existing passkeys are not excluded', async () => {
  const { person, asked } = await withCode();
  await api.addPasskey(person);
  const { status, body } = await init(asked);
  expect(status).toBe(200);
  expect(body).toEqual({
    user: { id: person.userId, name: person.username, displayName: 'Person' },
    temporaryAuthenticationToken: expect.any(String),
    challenge: expect.stringMatching(/^[A-Za-z0-9_-]{43}$/),
    rp: { id: 'localhost', name: 'Strongroom' },
    supportedCredentialKinds: {
      firstFactor: ['Fido2', 'Key', 'PasswordProtectedKey', 'Password'],
      secondFactor: ['Fido2', 'Key', 'PasswordProtectedKey', 'Totp'],
    },
    authenticatorSelection: { residentKey: 'preferred', requireResidentKey: false, userVerification: 'required' },
    attestation: 'direct',
    pubKeyCredParams: [-7, -8, -257].map((alg) => ({ type: 'public-key', alg })),
    excludeCredentials: [],
    otpUrl: expect.stringMatching(/^otpauth:\/\/totp\//),
    allowedRecoveryCredentials: [{ id: person.recoveryKey.credId, encryptedRecoveryKey: person.recoveryKey.encryptedPrivateKey }],
  });
});

test('200: of forty uses of one code, exactly one begins a recovery', async () => {
  const { asked } = await withCode();
  expect(await api.inParallel(() => init(asked))).toEqual({ 200: 1, 401: 39 });
});

test('401: the answer is the same for every fault', async () => {
  const { person, asked } = await withCode();
  const other = await api.createRecoverable(orgId);
  const elsewhere = await api.createOrganization();
  for (const bent of [
    { ...asked, verificationCode: '000-000-000' },
    { ...asked, username: 'nobody@example.com' },
    { ...asked, username: other.username, credentialId: other.recoveryKey.credId },
    { ...asked, orgId: UNKNOWN_ORG },
    { ...asked, orgId: elsewhere },
    { ...asked, orgId: 'no id at all' },
  ]) {
    expect(await init(bent)).toMatchObject(refused);
  }
  await api.change(orgId, 'UPDATE users SET is_active = false WHERE org_id = $1 AND id = $2', [person.userId]);
  expect(await init(asked)).toMatchObject(refused);
});

test.each([
  ['a key to log in with'],
  ['a recovery key of another user'],
  ['an unknown credential'],
  ['an inactive recovery key'],
])('401: the code is valid but is sent with %s; the answer is that for a wrong code', async (what) => {
  const { person, asked } = await withCode();
  const other = await api.createRecoverable(orgId);
  if (what === 'an inactive recovery key') {
    await api.change(orgId, 'UPDATE credentials SET is_active = false WHERE org_id = $1 AND id = $2', [person.recoveryKey.uuid]);
  }
  const credentialId =
    { 'a key to log in with': person.credId, 'a recovery key of another user': other.recoveryKey.credId }[what] ??
    (what === 'an inactive recovery key' ? asked.credentialId : 'AAAA');
  expect(await init({ ...asked, credentialId })).toMatchObject(refused);
});

test('401: the code is a login code', async () => {
  const { person, asked } = await withCode();
  await api.call('POST', '/auth/login/code', { orgId, username: person.username });
  const verificationCode = await api.mailedCode(person, 'LoginCode');
  expect(await init({ ...asked, verificationCode })).toMatchObject(refused);
});

test('400: a body that lacks a member or has an unknown member', async () => {
  const { asked } = await withCode();
  for (const name of Object.keys(asked)) {
    expect(await init({ ...asked, [name]: undefined })).toMatchObject({ status: 400, body: { error: { id: 'InvalidRequest' } } });
  }
  expect((await init({ ...asked, userId: 'us-x' })).status).toBe(400);
});
