import { generateKeyPairSync } from 'node:crypto';
import type { Person } from '../../../support/api';
import type { Bend } from '../../../support/authenticator';
import { Client } from '../../../support/client';
import { type Body, type Challenge, type CredentialApi, type Held, startCredentialApi } from '../../../support/credential-api';

let on: CredentialApi;
beforeAll(async () => {
  on = await startCredentialApi();
});
afterAll(() => on?.api.close());

type Factors = (challenge: string) => Body;
const REFUSED = { status: 401, body: { error: { id: 'Unauthorized', message: 'Not Authorized.' } } };
const UNKNOWN = {
  status: 401,
  body: {
    error: { id: 'CredentialUnusable', message: 'User does not have a credential that can be used for the application.' },
  },
};

/** Carries out a change that is signed with these factors. */
async function change({ client }: Person, factorsOf: Factors) {
  const path = '/v2/policies';
  const text = JSON.stringify({
    name: 'signed',
    activityKind: 'Wallets:Sign',
    rule: { kind: 'AlwaysTrigger' },
    action: { kind: 'Block' },
  });
  const { challenge, challengeIdentifier } = (await client.announce('POST', path, text)).body as Challenge;
  const signed = await client.post('/auth/action', { challengeIdentifier, ...factorsOf(challenge) });
  if (signed.status !== 200) return signed;
  const headers = { 'x-svc-useraction': (signed.body as { userAction: string }).userAction };
  return client.send({ method: 'POST', path, text, headers });
}

/** A person with a credential of every kind. */
async function everything() {
  const person = await on.person();
  const [passkey, key, guarded] = [await on.passkey(person), await on.key(person), await on.key(person, 'PasswordProtectedKey')];
  const [recovery, password, totp] = [await on.key(person, 'RecoveryKey'), await on.password(person), await on.totp(person)];
  return { person, passkey, key, guarded, recovery, password, totp };
}
type Everything = Awaited<ReturnType<typeof everything>>;

test.each<[string, (all: Everything) => Factors]>([
  [
    'a key',
    ({ key }) =>
      (challenge) => ({ firstFactor: key.factor(challenge) }),
  ],
  [
    'a password-protected key',
    ({ guarded }) =>
      (challenge) => ({ firstFactor: guarded.factor(challenge) }),
  ],
  [
    'a passkey',
    ({ passkey }) =>
      (challenge) => ({ firstFactor: passkey.factor(challenge) }),
  ],
  [
    'a passkey that signs the challenge as text',
    ({ passkey }) =>
      (challenge) => ({ firstFactor: passkey.factor(Buffer.from(challenge).toString('base64url')) }),
  ],
  [
    'a password and a one-time password',
    ({ password, totp }) =>
      () => ({ firstFactor: password.factor(), secondFactor: totp.factor() }),
  ],
  [
    'a password and a key',
    ({ password, key }) =>
      (challenge) => ({ firstFactor: password.factor(), secondFactor: key.factor(challenge) }),
  ],
  [
    'a password and a passkey',
    ({ password, passkey }) =>
      (challenge) => ({ firstFactor: password.factor(), secondFactor: passkey.factor(challenge) }),
  ],
  [
    'a key and a passkey',
    ({ key, passkey }) =>
      (challenge) => ({ firstFactor: key.factor(challenge), secondFactor: passkey.factor(challenge) }),
  ],
  [
    'a passkey and a password-protected key',
    ({ passkey, guarded }) =>
      (challenge) => ({ firstFactor: passkey.factor(challenge), secondFactor: guarded.factor(challenge) }),
  ],
  [
    'a key and a one-time password',
    ({ key, totp }) =>
      (challenge) => ({ firstFactor: key.factor(challenge), secondFactor: totp.factor() }),
  ],
])('200: %s authorises a change', async (_name, factorsOf) => {
  const all = await everything();
  expect(await change(all.person, factorsOf(all))).toMatchObject({ status: 200, body: { name: 'signed' } });
});

test.each(['ES256', 'EdDSA', 'RS256'] as const)('200: a passkey that signs with %s authorises a change', async (algorithm) => {
  const person = await on.person();
  const passkey = await on.passkey(person, algorithm);
  expect(await change(person, (challenge) => ({ firstFactor: passkey.factor(challenge) }))).toMatchObject({ status: 200 });
});

test('200: the challenge lists the credentials that may sign it, and no recovery key', async () => {
  const { person, passkey, recovery, guarded, key } = await everything();
  const { body } = await person.client.announce('POST', '/v2/policies', '{}');
  const { allowCredentials, supportedCredentialKinds } = body as object as {
    allowCredentials: Record<'key' | 'webauthn' | 'passwordProtectedKey', { id: string; encryptedPrivateKey?: string }[]>;
    supportedCredentialKinds: object[];
  };
  expect(supportedCredentialKinds).toEqual(
    expect.arrayContaining([
      { kind: 'Key', factor: 'either', requiresSecondFactor: false },
      { kind: 'Fido2', factor: 'either', requiresSecondFactor: false },
      { kind: 'PasswordProtectedKey', factor: 'either', requiresSecondFactor: false },
      { kind: 'Password', factor: 'first', requiresSecondFactor: true },
      { kind: 'Totp', factor: 'second', requiresSecondFactor: false },
    ]),
  );
  expect(supportedCredentialKinds).toHaveLength(5);
  const idOf = async ({ uuid }: Held) => {
    const [row] = await on.api.database.db
      .read(person.orgId)
      .select<{ id: string; blob: string }>(
        'SELECT credential_id AS id, encrypted_private_key AS blob FROM credentials WHERE id = $1',
        [uuid],
      );
    return row;
  };
  expect(allowCredentials.key.map(({ id }) => id)).toEqual([person.credId, (await idOf(key))?.id]);
  expect(allowCredentials.webauthn).toEqual([{ type: 'public-key', id: passkey.authenticator.credId }]);
  const { id, blob } = (await idOf(guarded)) ?? {};
  expect(allowCredentials.passwordProtectedKey).toEqual([{ type: 'public-key', id, encryptedPrivateKey: blob }]);
  expect(JSON.stringify(body)).not.toContain((await idOf(recovery))?.id);
});

describe('the evidence', () => {
  const evidence = async (person: Person) => {
    const [row] = await on.api.database.db.read(person.orgId).select<Record<string, never>>(
      `SELECT first_factor_kind AS kind, credential_uuid AS uuid, public_key AS key, client_data AS "clientData", signature,
           authenticator_data AS "authenticatorData", second_factor AS second
         FROM user_actions WHERE path = '/v2/policies'`,
    );
    return row;
  };

  test('200: the signatures of a passkey and a key are both stored as they were received', async () => {
    const { person, passkey, key } = await everything();
    let sent: { readonly firstFactor: Body; readonly secondFactor: Body } = { firstFactor: {}, secondFactor: {} };
    await on.sign(person.client, (challenge) => {
      sent = { firstFactor: passkey.factor(challenge), secondFactor: key.factor(challenge) };
      return sent;
    });
    const { authenticatorData, clientData, signature } = sent.firstFactor['credentialAssertion'] as Body;
    const second = sent.secondFactor['credentialAssertion'] as Body;
    expect(await evidence(person)).toEqual({
      kind: 'Fido2',
      uuid: passkey.uuid,
      key: expect.stringMatching(/^[\w-]+$/),
      clientData,
      signature,
      authenticatorData,
      second: {
        kind: 'Key',
        credentialUuid: key.uuid,
        publicKey: expect.stringContaining('BEGIN PUBLIC KEY'),
        clientData: second['clientData'],
        signature: second['signature'],
        authenticatorData: null,
      },
    });
  });

  test('200: a password and a one-time password are recorded with their kinds and without the secrets', async () => {
    const { person, password, totp } = await everything();
    const secondFactor = totp.factor();
    await on.sign(person.client, () => ({ firstFactor: password.factor(), secondFactor }));
    const row = await evidence(person);
    const nothing = { publicKey: null, clientData: null, signature: null, authenticatorData: null };
    expect(row).toMatchObject({
      kind: 'Password',
      uuid: password.uuid,
      key: null,
      signature: null,
      second: { kind: 'Totp', credentialUuid: totp.uuid, ...nothing },
    });
    expect(JSON.stringify(row)).not.toContain(password.password);
    expect(JSON.stringify(row)).not.toContain(secondFactor['otpCode']);
  });
});

describe('401: the challenge stays open for a valid answer when', () => {
  test.each<[string, (all: Everything) => Factors]>([
    [
      'a password is sent without a second factor',
      ({ password }) =>
        () => ({ firstFactor: password.factor() }),
    ],
    [
      'a password is wrong',
      ({ totp }) =>
        () => ({ firstFactor: { kind: 'Password', password: 'wrong' }, secondFactor: totp.factor() }),
    ],
    [
      'a one-time password is wrong',
      ({ password, totp }) =>
        () => ({ firstFactor: password.factor(), secondFactor: { kind: 'Totp', otpCode: totp.codeAt(-9) } }),
    ],
    [
      'one key is used as both factors',
      ({ key }) =>
        (challenge) => ({ firstFactor: key.factor(challenge), secondFactor: key.factor(challenge) }),
    ],
    [
      'one passkey is used as both factors',
      ({ passkey }) =>
        (challenge) => ({ firstFactor: passkey.factor(challenge), secondFactor: passkey.factor(challenge) }),
    ],
    [
      'the second factor signed another challenge',
      ({ key, passkey }) =>
        (challenge) => ({ firstFactor: key.factor(challenge), secondFactor: passkey.factor('b3RoZXI') }),
    ],
    [
      'a key claims to be a password-protected key',
      ({ key }) =>
        (challenge) => ({ firstFactor: { ...key.factor(challenge), kind: 'PasswordProtectedKey' } }),
    ],
  ])('%s', async (_name, factorsOf) => {
    const all = await everything();
    const { client } = all.person;
    const { challenge, challengeIdentifier } = (await client.announce('POST', '/v2/policies', '{}')).body as Challenge;
    const answer = (factors: Body) => client.post('/auth/action', { challengeIdentifier, ...factors });
    expect(await answer(factorsOf(all)(challenge))).toMatchObject(REFUSED);
    expect((await answer({ firstFactor: all.key.factor(challenge) })).status).toBe(200);
  });

  test('a recovery key claims to be a key', async () => {
    const { person, recovery } = await everything();
    const pretended = (challenge: string) => ({ firstFactor: { ...recovery.factor(challenge), kind: 'Key' } });
    expect(await on.sign(person.client, pretended)).toMatchObject(UNKNOWN);
    const honest = (challenge: string) => ({ firstFactor: recovery.factor(challenge) });
    expect(await on.sign(person.client, honest)).toMatchObject({
      status: 400,
      body: { error: { details: { issues: [{ path: 'body.firstFactor.kind' }] } } },
    });
  });

  test.each<[string, Bend]>([
    ['another site', { rpId: 'evil.example' }],
    ['a page of another origin', { clientData: { origin: 'https://localhost.evil.example' } }],
    ['a page embedded in a foreign page', { clientData: { crossOrigin: true } }],
    ['an authenticator that did not verify its user', { flags: 0x01 }],
    ['a registration', { clientData: { type: 'webauthn.create' } }],
    ['another key', { privateKey: generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey }],
  ])('a passkey signed for %s', async (_name, bend) => {
    const person = await on.person();
    const { authenticator } = await on.passkey(person);
    const bent = (challenge: string) => ({
      firstFactor: { kind: 'Fido2', credentialAssertion: authenticator.assert(challenge, bend) },
    });
    expect(await on.sign(person.client, bent)).toMatchObject(REFUSED);
  });
});

describe('factors that are valid once', () => {
  test('401: a counter value is repeated, which reveals a copied passkey; of 40 uses of one value exactly one is accepted', async () => {
    const person = await on.person();
    const { authenticator, factor } = await on.passkey(person);
    expect((await on.sign(person.client, (challenge) => ({ firstFactor: factor(challenge) }))).status).toBe(200);
    const at = (counter: number) => (challenge: string) => ({
      firstFactor: { kind: 'Fido2', credentialAssertion: authenticator.assert(challenge, { counter }) },
    });
    expect(await on.sign(person.client, at(1))).toMatchObject(REFUSED);
    const answers = await Promise.all(Array.from({ length: 40 }, () => on.sign(person.client, at(2))));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array<number>(39).fill(401)]);
  });

  test('401: a one-time password is used again; even when 40 actions use it at once, it is valid for only one', async () => {
    const person = await on.person();
    const [password, totp] = [await on.password(person), await on.totp(person)];
    const secondFactor = totp.factor();
    const sign = () => on.sign(person.client, () => ({ firstFactor: password.factor(), secondFactor }));
    const answers = await Promise.all(Array.from({ length: 40 }, sign));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array<number>(39).fill(401)]);
    expect(await sign()).toMatchObject(REFUSED);
  });

  test('401: one factor is wrong, and the other, valid factor is not used up', async () => {
    const person = await on.person();
    const [password, totp, key] = [await on.password(person), await on.totp(person), await on.key(person)];
    const secondFactor = totp.factor();
    const wrong = (challenge: string) => ({
      firstFactor: { ...key.factor(challenge), kind: 'PasswordProtectedKey' },
      secondFactor,
    });
    expect(await on.sign(person.client, wrong)).toMatchObject(REFUSED);
    const right = () => ({ firstFactor: password.factor(), secondFactor });
    expect((await on.sign(person.client, right)).status).toBe(200);
  });
});

test('401: a session signs with the key of a token, or the token signs with the key of its owner', async () => {
  const person = await on.person();
  const key = await on.key(person);
  const session = await on.session(person, person.credentialUuid);
  await on.boundTo(person, person.tokenId, key);
  const owner = (challenge: string) => ({ firstFactor: person.client.factor(challenge) });
  const program = (challenge: string) => ({ firstFactor: key.factor(challenge) });
  const token = new Client(on.api.url, person);
  expect(await on.sign(token, owner)).toMatchObject(UNKNOWN);
  expect((await on.sign(token, program)).status).toBe(200);
  expect(await on.sign(session, program)).toMatchObject(UNKNOWN);
  expect((await on.sign(session, owner)).status).toBe(200);
});

test('400: the first factor is a one-time password or a recovery key, or the second factor is a password', async () => {
  const { person, key, recovery, password, totp } = await everything();
  for (const [path, factorsOf] of [
    ['body.firstFactor.kind', () => ({ firstFactor: totp.factor() })],
    ['body.firstFactor.kind', (challenge: string) => ({ firstFactor: recovery.factor(challenge) })],
    ['body.secondFactor.kind', (challenge: string) => ({ firstFactor: key.factor(challenge), secondFactor: password.factor() })],
  ] as const) {
    expect(await on.sign(person.client, factorsOf)).toMatchObject({
      status: 400,
      body: { error: { id: 'InvalidRequest', details: { issues: [{ path }] } } },
    });
  }
});
