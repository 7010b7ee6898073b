import { createPublicKey, generateKeyPairSync } from 'node:crypto';
import type { Person } from '../../../support/api';
import { createAuthenticator } from '../../../support/authenticator';
import { type Body, type Challenge, type CredentialApi, startCredentialApi } from '../../../support/credential-api';
import { createKeyCredential } from '../../../support/key-credentials';
import { codeOf } from '../../../support/totp';

let on: CredentialApi;
beforeAll(async () => {
  on = await startCredentialApi();
});
afterAll(() => on?.api.close());

const refused = (id: string, message: string) => ({ status: 400, body: { error: { id, message } } });
const CHALLENGE_REFUSED = refused('ChallengeInvalid', 'Challenge token is not valid.');
const kindsOf = async (person: Person) => (await on.credentials(person)).map(({ kind }) => kind);

test('200: a passkey, a key, a password-protected key and a recovery key are added and then listed', async () => {
  const person = await on.person();
  const before = await on.changedAt(person);
  const challenge = await on.begin(person, 'Fido2');
  const authenticator = createAuthenticator();
  const answer = await on.create(person, challenge, {
    credentialKind: 'Fido2',
    credentialInfo: authenticator.attest(challenge.challenge),
  });
  expect(answer).toMatchObject({
    status: 200,
    body: {
      kind: 'Fido2',
      credentialId: authenticator.credId,
      name: 'Mine',
      isActive: true,
      relyingPartyId: 'localhost',
      origin: 'http://localhost:3000',
    },
  });
  for (const kind of ['Key', 'PasswordProtectedKey', 'RecoveryKey'] as const) await on.key(person, kind);
  const { items } = (await person.client.get('/auth/credentials')).body as { items: { kind: string; publicKey: string }[] };
  expect(items[1]).toEqual(answer.body);
  expect(items.map(({ kind }) => kind)).toEqual(['Key', 'Fido2', 'Key', 'PasswordProtectedKey', 'RecoveryKey']);
  expect(before).toBeNull();
  expect(await on.changedAt(person)).toBeInstanceOf(Date);
});

test('200: a password is stored as an argon2id hash, a seed is stored sealed, and no answer shows either', async () => {
  const person = await on.person();
  const password = 'correct horse battery staple';
  await on.password(person, password);
  const challenge = await on.begin(person, 'Totp');
  const otpCode = codeOf(challenge.otpUrl);
  await on.create(person, challenge, { credentialKind: 'Totp', credentialInfo: { otpCode } });
  const [, hashed, sealed] = await on.credentials(person);
  expect(hashed?.secret).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  expect(sealed?.secret).not.toContain(new URL(challenge.otpUrl).searchParams.get('secret'));
  const shown = JSON.stringify((await person.client.get('/auth/credentials')).body);
  for (const secret of [password, hashed?.secret, sealed?.secret]) expect(shown).not.toContain(secret);
  expect(on.api.log.join('\n')).not.toContain(password);
});

test('200: the public key may be in OpenSSH format, and is shown as SPKI', async () => {
  const person = await on.person();
  const keys = generateKeyPairSync('ed25519');
  const key = createKeyCredential('Key', keys);
  const point = keys.publicKey.export({ format: 'der', type: 'spki' }).subarray(-32);
  const field = (bytes: Buffer) => Buffer.concat([Buffer.from([0, 0, 0, bytes.length]), bytes]);
  const line = `ssh-ed25519 ${Buffer.concat([field(Buffer.from('ssh-ed25519')), field(point)]).toString('base64')} me@laptop`;
  const challenge = await on.begin(person, 'Key');
  const { status, body } = await on.create(person, challenge, key.attest(challenge.challenge, { publicKey: line }));
  expect(status).toBe(200);
  expect(createPublicKey((body as { publicKey: string }).publicKey).equals(keys.publicKey)).toBe(true);
});

describe('the challenge for a new credential', () => {
  test('400: 40 completions are sent at once, and exactly one adds a credential', async () => {
    const person = await on.person();
    const challenge = await on.begin(person, 'Key');
    const bodies = Array.from({ length: 40 }, () => createKeyCredential().attest(challenge.challenge));
    const answers = await Promise.all(bodies.map((body) => on.create(person, challenge, body)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array<number>(39).fill(400)]);
    expect(answers.find(({ status }) => status === 400)).toMatchObject(CHALLENGE_REFUSED);
    expect(await kindsOf(person)).toEqual(['Key', 'Key']);
  });

  test('400: the challenge belongs to another user, kind or purpose, or has expired', async () => {
    const orgId = await on.api.createOrganization();
    const [person, colleague, stranger] = [await on.person(orgId), await on.person(orgId), await on.person()];
    const mine = await on.begin(person, 'Key');
    const late = await on.begin(person, 'Key');
    await on.api.database.db.withOrg(orgId, (tx) =>
      tx.query('UPDATE challenges SET date_expires = clock_timestamp() WHERE org_id = $1 AND challenge = $2', [
        orgId,
        late.challenge,
      ]),
    );
    const login = await on.anonymous('/auth/login/init', { orgId, username: person.username });
    const action = (await person.client.announce('POST', '/auth/credentials', '{}')).body as Challenge;
    const attempts: readonly [Person, Challenge, Body][] = [
      [colleague, mine, {}],
      [stranger, mine, {}],
      [person, mine, { credentialKind: 'RecoveryKey' }],
      [person, late, {}],
      [person, login.body as object as Challenge, {}],
      [person, action, {}],
      [person, { ...mine, challengeIdentifier: `${mine.challengeIdentifier}x` }, {}],
      [person, { ...mine, challengeIdentifier: person.token }, {}],
    ];
    for (const [who, challenge, bend] of attempts) {
      const answer = await on.create(who, challenge, { ...createKeyCredential().attest(challenge.challenge), ...bend });
      expect(answer).toMatchObject(CHALLENGE_REFUSED);
    }
    expect(await kindsOf(person)).toEqual(['Key']);
    expect((await on.create(person, mine, createKeyCredential().attest(mine.challenge))).status).toBe(200);
  });

  test('400: a challenge that was issued for a code is completed without this code', async () => {
    const person = await on.person();
    const { body } = await on.anonymous('/auth/credentials/code/init', { code: await on.code(person), credentialKind: 'Key' });
    const challenge = body as object as Challenge;
    expect(await on.create(person, challenge, createKeyCredential().attest(challenge.challenge))).toMatchObject(
      CHALLENGE_REFUSED,
    );
  });
});

const other = () => generateKeyPairSync('ed25519').privateKey;
const pemOf = (curve: string) =>
  generateKeyPairSync('ec', { namedCurve: curve }).publicKey.export({ format: 'pem', type: 'spki' }).toString();
test.each([
  ['another challenge', { clientData: { challenge: 'other' } }, /attestation of the Key/],
  ['the client data of a signature', { clientData: { type: 'key.get' } }, /attestation of the Key/],
  ['client data from a page embedded in a foreign page', { clientData: { crossOrigin: true } }, /attestation of the Key/],
  ['the signature of another key', { privateKey: other() }, /attestation of the Key/],
  ['the public key of another key pair', { publicKey: pemOf('P-256') }, /attestation of the Key/],
  ['a curve that is not allowed', { publicKey: pemOf('brainpoolP256r1') }, /curve must be/],
  [
    'a private key in place of its public key',
    { publicKey: other().export({ format: 'pem', type: 'pkcs8' }).toString() },
    /^The public key must be one PEM block/,
  ],
])('400: the key comes with %s; it is not added, and the user action stays usable', async (_name, bend, message) => {
  const person = await on.person();
  const challenge = await on.begin(person, 'Key');
  const text = JSON.stringify({
    ...createKeyCredential().attest(challenge.challenge, bend),
    challengeIdentifier: challenge.challengeIdentifier,
  });
  const userAction = await person.client.userAction('POST', '/auth/credentials', text);
  const send = () =>
    person.client.send({ method: 'POST', path: '/auth/credentials', text, headers: { 'x-svc-useraction': userAction } });
  for (const answer of [await send(), await send()]) {
    expect(answer).toMatchObject({
      status: 400,
      body: { error: { id: 'AttestationInvalid', message: expect.stringMatching(message) } },
    });
  }
  expect(await kindsOf(person)).toEqual(['Key']);
  expect(on.api.log.join('\n')).not.toContain('PRIVATE KEY');
});

test('400: a passkey for another site and a wrong one-time password are not added', async () => {
  const person = await on.person();
  const challenge = await on.begin(person, 'Fido2');
  const credentialInfo = createAuthenticator().attest(challenge.challenge, { rpId: 'evil.example' });
  expect(await on.create(person, challenge, { credentialKind: 'Fido2', credentialInfo })).toMatchObject(
    refused('AttestationInvalid', 'The attestation of the Fido2 credential is not valid.'),
  );
  const totp = await on.begin(person, 'Totp');
  const otpCode = codeOf(totp.otpUrl, Date.now() - 3_600_000);
  expect(await on.create(person, totp, { credentialKind: 'Totp', credentialInfo: { otpCode } })).toMatchObject(
    refused('AttestationInvalid', 'The attestation of the Totp credential is not valid.'),
  );
  expect(await kindsOf(person)).toEqual(['Key']);
});

test.each([
  ['body.credentialName', { credentialName: '' }],
  ['body.challengeIdentifier', { challengeIdentifier: undefined }],
  ['body.credentialInfo.credId', { credentialInfo: { clientData: 'AA', attestationData: 'AA' } }],
  ['body.encryptedPrivateKey', { encryptedPrivateKey: 'x' }],
  ['body.isActive', { isActive: true }],
  ['body.credentialKind', { credentialKind: 'Passkey' }],
])('400: the error reports an invalid %s', async (path, bend) => {
  const person = await on.person();
  const challenge = await on.begin(person, 'Key');
  const body = { ...createKeyCredential().attest(challenge.challenge), challengeIdentifier: challenge.challengeIdentifier };
  expect(await person.client.change('POST', '/auth/credentials', { ...body, ...bend })).toMatchObject({
    status: 400,
    body: { error: { id: 'InvalidRequest', details: { issues: [{ path }] } } },
  });
});

test('400: a password of eleven characters, which is too short', async () => {
  const person = await on.person();
  const body = { credentialKind: 'Password', credentialInfo: { password: 'x'.repeat(11) } };
  expect(await on.create(person, await on.begin(person, 'Password'), body)).toMatchObject({
    status: 400,
    body: { error: { details: { issues: [{ path: 'body.credentialInfo.password' }] } } },
  });
});

test('401 and 403: without a token, by a personal access token, and without a user action nothing is added', async () => {
  const person = await on.person();
  const challenge = await on.begin(person, 'Key');
  const body = { ...createKeyCredential().attest(challenge.challenge), challengeIdentifier: challenge.challengeIdentifier };
  expect((await on.anonymous('/auth/credentials', body)).status).toBe(401);
  expect(await person.client.post('/auth/credentials', body)).toMatchObject({
    status: 403,
    body: { error: { id: 'UserActionInvalid' } },
  });
  await on.boundTo(person, person.tokenId, await on.key(person));
  expect(await person.client.post('/auth/credentials', body)).toMatchObject({
    status: 403,
    body: { error: { id: 'Forbidden' } },
  });
});

test('409: another credential of the organisation has the same credential id', async () => {
  const orgId = await on.api.createOrganization();
  const [person, colleague] = [await on.person(orgId), await on.person(orgId)];
  const challenge = await on.begin(colleague, 'Key');
  const attestation = createKeyCredential().attest(challenge.challenge);
  const credentialInfo = { ...(attestation['credentialInfo'] as object), credId: person.credId };
  expect(await on.create(colleague, challenge, { ...attestation, credentialInfo })).toMatchObject({
    status: 409,
    body: { error: { id: 'Conflict', message: 'The credential id is already in use' } },
  });
});

test('409: the key already belongs to a credential, even if that credential has a different id or kind', async () => {
  const person = await on.person();
  const publicKey = createPublicKey(person.privateKey);
  for (const kind of ['Key', 'PasswordProtectedKey', 'RecoveryKey'] as const) {
    const key = createKeyCredential(kind, { publicKey, privateKey: person.privateKey });
    const challenge = await on.begin(person, kind);
    expect(await on.create(person, challenge, key.attest(challenge.challenge))).toMatchObject({
      status: 409,
      body: { error: { id: 'Conflict', message: 'The user already has a credential with this key' } },
    });
  }
});

test('409: the person already has two passwords; each further password makes guessing easier', async () => {
  const person = await on.person();
  const passwords = [await on.password(person), await on.password(person)];
  const body = { credentialKind: 'Password', credentialInfo: { password: 'one more password' } };
  expect(await on.create(person, await on.begin(person, 'Password'), body)).toMatchObject({
    status: 409,
    body: { error: { id: 'Conflict', message: 'A user has at most 2 active credentials of kind Password' } },
  });
  await person.client.change('DELETE', `/auth/credentials/${passwords[0]?.uuid}`);
  expect((await on.create(person, await on.begin(person, 'Password'), body)).status).toBe(200);
});
