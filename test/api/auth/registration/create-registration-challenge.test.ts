import { newId } from '../../../../platform/ids';
import { NOT_AUTHORIZED, type RegistrationApi, startRegistrationApi, withKey } from '../../../support/registration-api';

const PATH = '/auth/registration/init';

let registration: RegistrationApi;
beforeAll(async () => {
  registration = await startRegistrationApi();
});
afterAll(() => registration?.close());

const init = (orgId: string, username: string, registrationCode: string) =>
  registration.say('POST', PATH, { orgId, username, registrationCode });

test('200: the code is exchanged for the challenge that the first credentials sign', async () => {
  const { orgId, userId, username, code } = await registration.invite(await registration.api.createOrganization());
  const { status, body } = await init(orgId, username, code);
  expect(status).toBe(200);
  expect(body).toEqual({
    user: { id: userId, name: username, displayName: username },
    temporaryAuthenticationToken: expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]+$/),
    challenge: expect.stringMatching(/^[\w-]{43}$/),
    rp: { id: 'localhost', name: 'Strongroom' },
    supportedCredentialKinds: {
      firstFactor: ['Fido2', 'Key', 'PasswordProtectedKey', 'Password'],
      secondFactor: ['Fido2', 'Key', 'PasswordProtectedKey', 'Totp'],
    },
    authenticatorSelection: { residentKey: 'preferred', requireResidentKey: false, userVerification: 'required' },
    attestation: 'direct',
    pubKeyCredParams: [-7, -8, -257].map((alg) => ({ type: 'public-key', alg })),
    excludeCredentials: [],
    otpUrl: expect.stringMatching(/^otpauth:\/\/totp\/Strongroom:.*secret=[A-Z2-7]{32}/),
  });
});

test('200: name and code are accepted in any letter case, and the code is accepted without dashes', async () => {
  const { orgId, username, code } = await registration.invite(await registration.api.createOrganization());
  expect((await init(orgId, username.toUpperCase(), ` ${code.toLowerCase().replaceAll('-', ' ')}`)).status).toBe(200);
});

test('200: of 40 uses of one code at once, exactly one gets a challenge', async () => {
  const { orgId, username, code } = await registration.invite(await registration.api.createOrganization());
  const answers = await Promise.all(Array.from({ length: 40 }, () => init(orgId, username, code)));
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  for (const { status, body } of answers.filter((answer) => answer.status !== 200)) {
    expect({ status, body }).toEqual({ status: 401, body: NOT_AUTHORIZED });
  }
});

test('401: an unknown organisation or person, a wrong code and a user who may not register get the same answer', async () => {
  const orgId = await registration.api.createOrganization();
  const other = await registration.api.createOrganization();
  const { invite, api } = registration;
  const invited = await invite(orgId);
  const elsewhere = await invite(other);
  const deactivated = await invite(orgId, { isActive: false });
  const archived = await invite(orgId, { dateArchived: new Date() });
  const program = await invite(orgId, { isServiceAccount: true });
  const endUser = await invite(orgId, { kind: 'EndUser' });
  const registered = await invite(orgId, { isRegistered: true });
  const expired = await invite(orgId);
  await api.database.db.withOrg(orgId, (tx) =>
    tx.query('UPDATE one_time_codes SET date_expires = clock_timestamp() WHERE user_id = $1', [expired.userId]),
  );
  const strangers: readonly (readonly [string, string, string])[] = [
    [newId('organization'), invited.username, invited.code],
    ['nowhere', invited.username, invited.code],
    [`' OR 1=1 --`, invited.username, invited.code],
    [other, invited.username, invited.code],
    [orgId, elsewhere.username, elsewhere.code],
    [orgId, 'nobody@example.com', invited.code],
    [orgId, invited.username, 'AAA-AAA-AAA'],
    [orgId, invited.username, '%'],
    ...[deactivated, archived, program, endUser, registered, expired].map(
      ({ username, code }) => [orgId, username, code] as const,
    ),
  ];
  for (const [org, username, code] of strangers) {
    const { status, body, headers } = await init(org, username, code);
    expect([org, username, status, body]).toEqual([org, username, 401, NOT_AUTHORIZED]);
    expect(headers.get('content-length')).toBe(String(JSON.stringify(NOT_AUTHORIZED).length));
  }
  // The attempts with the code of another user have not used up that code.
  expect((await init(orgId, invited.username, invited.code)).status).toBe(200);
});

test('401: after five wrong codes the right code is no longer valid', async () => {
  const { orgId, username, code } = await registration.invite(await registration.api.createOrganization());
  for (let attempt = 0; attempt < 5; attempt += 1) expect((await init(orgId, username, `WRO-NG0-00${attempt}`)).status).toBe(401);
  expect(await init(orgId, username, code)).toMatchObject({ status: 401, body: NOT_AUTHORIZED });
});

test('401: the token belongs to a challenge that a second challenge has replaced', async () => {
  const { begin, invite, say, api, newCode } = registration;
  const orgId = await api.createOrganization();
  const invited = await invite(orgId);
  const first = await begin(invited);
  await say('PUT', '/auth/registration/code', { orgId, username: invited.username });
  const code = await newCode(invited);
  const second = await begin({ ...invited, code });
  const complete = ({ temporaryAuthenticationToken, challenge }: typeof first) =>
    say('POST', '/auth/registration', withKey(challenge), temporaryAuthenticationToken);
  expect(await complete(first)).toMatchObject({ status: 401, body: NOT_AUTHORIZED });
  expect((await complete(second)).status).toBe(200);
});

test('400: fields that are missing, too long or unknown', async () => {
  const good = { orgId: newId('organization'), username: 'a', registrationCode: 'b' };
  const bodies: readonly (readonly [Record<string, unknown>, string])[] = [
    [{ ...good, orgId: undefined }, 'body.orgId'],
    [{ ...good, username: '' }, 'body.username'],
    [{ ...good, username: 'x'.repeat(257) }, 'body.username'],
    [{ ...good, username: 'a\u0000b' }, 'body.username'],
    [{ ...good, registrationCode: 7 }, 'body.registrationCode'],
    [{ ...good, more: true }, 'body.more'],
  ];
  for (const [body, path] of bodies) {
    const answer = await registration.say('POST', PATH, body);
    expect([path, answer.status, answer.body]).toMatchObject([path, 400, { error: { details: { issues: [{ path }] } } }]);
  }
});
