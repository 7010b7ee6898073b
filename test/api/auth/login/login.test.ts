import { createKeyCredential } from '../../../support/key-credentials';
import { NOT_AUTHORIZED, type SignInApi, startSignInApi } from '../../../support/sign-in-api';
import { codeOf } from '../../../support/totp';

let api: SignInApi;
let orgId: string;
beforeAll(async () => {
  api = await startSignInApi();
  orgId = await api.createOrganization();
});
afterAll(() => api?.close());

const PASSWORD = 'correct horse battery staple';
const refused = { status: 401, body: NOT_AUTHORIZED };
const complete = (body: unknown) => api.call('POST', '/auth/login', body);
const isOpen = async (token: unknown): Promise<boolean> => {
  const response = await fetch(`${api.url}/auth/credentials`, { headers: { authorization: `Bearer ${String(token)}` } });
  return response.status === 200;
};

test('200: a key opens a session of the default length, and the session row refers to the key', async () => {
  const person = await api.createPerson(orgId);
  const asked = { orgId, username: person.username };
  const { status, body } = await api.logIn(asked, (challenge) => ({ firstFactor: person.client.factor(challenge) }));
  expect({ status, body }).toEqual({ status: 200, body: { token: expect.any(String) } });
  expect(await isOpen(body['token'])).toBe(true);
  const [session] = await api.db.read(orgId).select<{ minutes: number; openedBy: string; kind: string }>(
    `SELECT round(extract(epoch FROM date_expires - date_created) / 60)::int AS minutes, opened_by AS "openedBy", kind
     FROM access_tokens WHERE user_id = $1 ORDER BY id DESC LIMIT 1`,
    [person.userId],
  );
  expect(session).toEqual({ minutes: 720, openedBy: person.credentialUuid, kind: 'Token' });
});

test('200: a session is as short as the setting of the organisation requires', async () => {
  const short = await api.createOrganization();
  await api.change(short, `UPDATE organizations SET settings = '{"sessionMinutes": 5}' WHERE id = $1`, []);
  const person = await api.createPerson(short);
  const asked = { orgId: short, username: person.username };
  expect((await api.logIn(asked, (challenge) => ({ firstFactor: person.client.factor(challenge) }))).status).toBe(200);
  const [session] = await api.db.read(short).select<{ minutes: number }>(
    `SELECT round(extract(epoch FROM date_expires - date_created) / 60)::int AS minutes FROM access_tokens
       WHERE user_id = $1 ORDER BY id DESC LIMIT 1`,
    [person.userId],
  );
  expect(session?.minutes).toBe(5);
});

test('200: a passkey logs in, with a name and without a name', async () => {
  const person = await api.createPerson(orgId);
  const passkey = await api.addPasskey(person);
  for (const asked of [{ orgId, username: person.username }, { orgId }]) {
    const { status, body } = await api.logIn(asked, (challenge) => ({ firstFactor: passkey.factor(challenge) }));
    expect(status).toBe(200);
    expect(await isOpen(body['token'])).toBe(true);
  }
});

test('200: a password needs a one-time password; a login with only one of them, or with a wrong password, is refused', async () => {
  const person = await api.createPerson(orgId);
  await api.addPassword(person, PASSWORD);
  const url = await api.addTotp(person);
  const asked = { orgId, username: person.username };
  const firstFactor = { kind: 'Password', password: PASSWORD };
  const secondFactor = () => ({ kind: 'Totp', otpCode: codeOf(url) });
  expect(await api.logIn(asked, () => ({ firstFactor }))).toMatchObject(refused);
  expect(
    await api.logIn(asked, () => ({ firstFactor: { ...firstFactor, password: `${PASSWORD}!` }, secondFactor: secondFactor() })),
  ).toMatchObject(refused);
  const answers = [await api.logIn(asked, () => ({ firstFactor, secondFactor: secondFactor() }))];
  answers.push(await api.logIn(asked, () => ({ firstFactor, secondFactor: secondFactor() })));
  // The second answer is not checked, because its code might belong to the next time step and be valid too.
  expect(answers[0]?.status).toBe(200);
});

test('200: a password-protected key logs in if the person has kept the encrypted private key', async () => {
  const person = await api.createPerson(orgId);
  const key = await api.addKey(person, 'PasswordProtectedKey');
  const asked = { orgId, username: person.username };
  expect((await api.logIn(asked, (challenge) => ({ firstFactor: key.assert(challenge) }))).status).toBe(200);
});

test('200: of forty completions of one challenge, exactly one opens a session', async () => {
  const person = await api.createPerson(orgId);
  const { challenge, challengeIdentifier } = await api.begin({ orgId, username: person.username });
  const firstFactor = person.client.factor(challenge);
  expect(await api.inParallel(() => complete({ challengeIdentifier, firstFactor }))).toEqual({ 200: 1, 401: 39 });
  const [sessions] = await api.db
    .read(orgId)
    .select<{ count: number }>('SELECT count(*)::int AS count FROM access_tokens WHERE user_id = $1', [person.userId]);
  expect(sessions?.count).toBe(2);
});

test('401: the answer is the same for every fault', async () => {
  const person = await api.createPerson(orgId);
  const other = await api.createPerson(orgId);
  const recovery = await api.addKey(person, 'RecoveryKey');
  const asked = { orgId, username: person.username };
  const stranger = createKeyCredential();
  const cases: ((challenge: string) => { firstFactor: unknown; secondFactor?: unknown })[] = [
    (challenge) => ({ firstFactor: person.client.factor(`${challenge}x`) }),
    (challenge) => ({ firstFactor: other.client.factor(challenge) }),
    (challenge) => ({ firstFactor: stranger.assert(challenge) }),
    (challenge) => ({ firstFactor: { ...recovery.assert(challenge), kind: 'Key' } }),
    (challenge) => ({ firstFactor: person.client.factor(challenge), secondFactor: person.client.factor(challenge) }),
    (challenge) => ({ firstFactor: person.client.factor(challenge), secondFactor: { kind: 'Totp', otpCode: '000000' } }),
    () => ({ firstFactor: { kind: 'Password', password: PASSWORD } }),
  ];
  for (const factors of cases) expect(await api.logIn(asked, factors)).toMatchObject(refused);
});

test('401: the challenge is for an unknown user, whatever the credential', async () => {
  const person = await api.createPerson(orgId);
  const passkey = await api.addPasskey(person);
  for (const asked of [
    { orgId, username: 'nobody@example.com' },
    { orgId: 'or-01abc-01abc-0123456789abcdef', username: person.username },
    { orgId: await api.createOrganization(), username: person.username },
  ]) {
    expect(await api.logIn(asked, (challenge) => ({ firstFactor: person.client.factor(challenge) }))).toMatchObject(refused);
    expect(await api.logIn(asked, (challenge) => ({ firstFactor: passkey.factor(challenge) }))).toMatchObject(refused);
  }
});

test('401: a login without a name uses a key, or a passkey with the user handle of another person', async () => {
  const person = await api.createPerson(orgId);
  const other = await api.createPerson(orgId);
  const passkey = await api.addPasskey(person);
  const asked = { orgId };
  expect(await api.logIn(asked, (challenge) => ({ firstFactor: person.client.factor(challenge) }))).toMatchObject(refused);
  const swapped = (challenge: string) => ({
    kind: 'Fido2',
    credentialAssertion: { ...passkey.assert(challenge), userHandle: Buffer.from(other.userId).toString('base64url') },
  });
  expect(await api.logIn(asked, (challenge) => ({ firstFactor: swapped(challenge) }))).toMatchObject(refused);
});

test('401: the person is deactivated, or the credential is not active', async () => {
  const gone = await api.createPerson(orgId);
  await api.change(orgId, 'UPDATE users SET is_active = false WHERE org_id = $1 AND id = $2', [gone.userId]);
  const person = await api.createPerson(orgId);
  await api.change(orgId, 'UPDATE credentials SET is_active = false WHERE org_id = $1 AND user_id = $2', [person.userId]);
  for (const { username, client } of [gone, person]) {
    expect(await api.logIn({ orgId, username }, (challenge) => ({ firstFactor: client.factor(challenge) }))).toMatchObject(
      refused,
    );
  }
});

test('401: the challenge has expired or was issued for a user action, or its identifier is a token of another kind or not a token', async () => {
  const person = await api.createPerson(orgId);
  const { challenge, challengeIdentifier } = await api.begin({ orgId, username: person.username });
  await api.change(orgId, 'UPDATE challenges SET date_expires = clock_timestamp() WHERE org_id = $1 AND user_id = $2', [
    person.userId,
  ]);
  const action = (await person.client.announce('POST', '/wallets', '{}')).body as {
    challenge: string;
    challengeIdentifier: string;
  };
  const attempts = [
    { challengeIdentifier, firstFactor: person.client.factor(challenge) },
    { challengeIdentifier: action.challengeIdentifier, firstFactor: person.client.factor(action.challenge) },
    { challengeIdentifier: person.token, firstFactor: person.client.factor(challenge) },
    { challengeIdentifier: 'nonsense', firstFactor: person.client.factor(challenge) },
  ];
  for (const attempt of attempts) expect(await complete(attempt)).toMatchObject(refused);
});

test('401: the challenge was issued to another person', async () => {
  const person = await api.createPerson(orgId);
  const other = await api.createPerson(orgId);
  const { challenge, challengeIdentifier } = await api.begin({ orgId, username: person.username });
  expect(await complete({ challengeIdentifier, firstFactor: other.client.factor(challenge) })).toMatchObject(refused);
  // The refused attempt has not used up the challenge.
  expect((await complete({ challengeIdentifier, firstFactor: person.client.factor(challenge) })).status).toBe(200);
});

test('200: a person who must sign in through the provider gets the client id of the provider after a valid login', async () => {
  const org = await api.createOrganization();
  const person = await api.createPerson(org);
  await api.change(org, 'UPDATE users SET is_sso_required = true WHERE org_id = $1 AND id = $2', [person.userId]);
  const asked = { orgId: org, username: person.username };
  const prove = (challenge: string) => ({ firstFactor: person.client.factor(challenge) });
  expect(await api.logIn(asked, prove)).toMatchObject(refused);

  const provider = {
    issuer: 'https://login.example.com',
    clientId: 'strongroom',
    emailDomains: ['example.com'],
    onboardsNewUsers: false,
    sealedClientSecret: null,
  };
  await api.change(org, `UPDATE organizations SET settings = $2::jsonb WHERE id = $1`, [JSON.stringify({ sso: { provider } })]);
  expect(await api.logIn(asked, prove)).toMatchObject({ status: 200, body: { ssoClientId: 'strongroom' } });
  expect(await api.logIn(asked, (challenge) => ({ firstFactor: person.client.factor(`${challenge}x`) }))).toMatchObject(refused);
});

test('400: a body without factors, with a recovery key as a factor, or with an unknown member', async () => {
  const person = await api.createPerson(orgId);
  const { challenge, challengeIdentifier } = await api.begin({ orgId, username: person.username });
  const firstFactor = person.client.factor(challenge);
  const bodies = [
    { challengeIdentifier },
    { firstFactor },
    { challengeIdentifier, firstFactor: { ...firstFactor, kind: 'RecoveryKey' } },
    { challengeIdentifier, firstFactor: { kind: 'Totp', otpCode: '123456' } },
    { challengeIdentifier, firstFactor, orgId },
  ];
  for (const body of bodies)
    expect(await complete(body)).toMatchObject({ status: 400, body: { error: { id: 'InvalidRequest' } } });
});
