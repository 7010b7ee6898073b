import { generateKeyPairSync } from 'node:crypto';
import { CredentialEntity } from '../../../../entities/credentials/credential.entity';
import { newId } from '../../../../platform/ids';
import { createAuthenticator } from '../../../support/authenticator';
import { Client } from '../../../support/client';
import { createKeyCredential } from '../../../support/key-credentials';
import {
  type Challenge,
  type Invited,
  NOT_AUTHORIZED,
  type RegistrationApi,
  startRegistrationApi,
  withKey,
} from '../../../support/registration-api';
import { codeOf } from '../../../support/totp';

const PATH = '/auth/registration';

let registration: RegistrationApi;
beforeAll(async () => {
  registration = await startRegistrationApi();
});
afterAll(() => registration?.close());

const complete = ({ temporaryAuthenticationToken }: Challenge, body: unknown) =>
  registration.say('POST', PATH, body, temporaryAuthenticationToken);

const credentialsOf = ({ orgId, userId }: Pick<Invited, 'orgId' | 'userId'>) =>
  registration.api.database.db.read(orgId).rows(CredentialEntity, 'WHERE t.user_id = $1 ORDER BY t.id', [userId]);

type Registered = { readonly credential: { readonly uuid: string } };
const PASSWORD = { credentialKind: 'Password', credentialInfo: { password: 'correct horse battery staple' } };
const totp = ({ otpUrl }: Challenge) => ({ credentialKind: 'Totp', credentialInfo: { otpCode: codeOf(otpUrl) } });
const passkey = ({ challenge }: Challenge) => ({
  credentialKind: 'Fido2',
  credentialName: 'My passkey',
  credentialInfo: createAuthenticator().attest(challenge),
});
const refused = (status: number, id: string) =>
  expect.objectContaining({ status, body: { error: expect.objectContaining({ id }) } });

test('200: a person is registered with a single key', async () => {
  const newcomer = await registration.newcomer();
  const { orgId, userId, username } = newcomer;
  const { status, body } = await complete(newcomer, withKey(newcomer.challenge));
  expect(status).toBe(200);
  expect(body).toEqual({
    credential: { uuid: expect.stringMatching(/^cred-/), kind: 'Key', name: 'My Key' },
    user: { id: userId, username, orgId },
  });
  const { uuid } = (body as Registered).credential;
  expect(await registration.userOf(newcomer)).toMatchObject({
    isRegistered: true,
    credentialUuid: uuid,
    dateCredentialsChanged: expect.any(Date),
    version: 2,
  });
  expect(await registration.mailsOf(newcomer)).toEqual([{ template: 'UserRegistered', to: username, data: { username } }]);
});

test('200: a passkey, a second factor and a recovery key are all stored, the passkey first', async () => {
  const newcomer = await registration.newcomer();
  const recovery = createKeyCredential('RecoveryKey');
  const { status, body } = await complete(newcomer, {
    firstFactorCredential: passkey(newcomer),
    secondFactorCredential: totp(newcomer),
    recoveryCredential: recovery.attest(newcomer.challenge),
  });
  expect(status).toBe(200);
  expect((body as Registered).credential).toMatchObject({ kind: 'Fido2', name: 'My passkey' });
  const stored = await credentialsOf(newcomer);
  expect(stored.map(({ kind }) => kind)).toEqual(['Fido2', 'Totp', 'RecoveryKey']);
  expect(stored[0]).toMatchObject({ relyingPartyId: 'localhost', origin: 'http://localhost:3000', isActive: true });
  expect(stored[2]).toMatchObject({ encryptedPrivateKey: recovery.encryptedPrivateKey, credentialId: recovery.credId });
  expect((body as Registered).credential.uuid).toBe(stored[0]?.id);
});

test('200: a password and a one-time password are registered; neither is stored in a usable form', async () => {
  const newcomer = await registration.newcomer();
  const body = { firstFactorCredential: PASSWORD, secondFactorCredential: totp(newcomer) };
  expect((await complete(newcomer, body)).status).toBe(200);
  const [password, oneTime] = await credentialsOf(newcomer);
  expect(password?.secret).toMatch(/^\$argon2id\$/);
  const seed = new URL(newcomer.otpUrl).searchParams.get('secret') ?? 'none';
  expect(oneTime?.secret).not.toContain(seed);
  // The code that confirmed the seed is used up.
  expect(oneTime?.lastStep).not.toBeNull();
});

test('200: the registered key signs, and opens a session', async () => {
  const newcomer = await registration.newcomer();
  const keys = generateKeyPairSync('ed25519');
  const key = createKeyCredential('Key', keys);
  expect((await complete(newcomer, withKey(newcomer.challenge, key))).status).toBe(200);
  const { orgId, userId, username } = newcomer;
  const init = await registration.say('POST', '/auth/login/init', { orgId, username });
  const { challenge, challengeIdentifier } = init.body as { challenge: string; challengeIdentifier: string };
  const login = await registration.say('POST', '/auth/login', { challengeIdentifier, firstFactor: key.assert(challenge) });
  expect(login.status).toBe(200);
  const { token } = login.body as { token: string };
  const client = new Client(registration.api.url, { token, credId: key.credId, privateKey: keys.privateKey });
  expect(await client.get('/auth/credentials')).toMatchObject({ status: 200, body: { items: [{ credentialId: key.credId }] } });
  expect(await client.userAction('POST', '/wallets', '{}')).toEqual(expect.any(String));
  expect(await registration.userOf({ orgId, userId })).toMatchObject({ isRegistered: true });
});

test('200: of 40 completions at once, exactly one succeeds', async () => {
  const newcomer = await registration.newcomer();
  const answers = await Promise.all(Array.from({ length: 40 }, () => complete(newcomer, withKey(newcomer.challenge))));
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  for (const { status, body } of answers.filter((answer) => answer.status !== 200)) {
    expect({ status, body }).toEqual({ status: 401, body: NOT_AUTHORIZED });
  }
  expect(await credentialsOf(newcomer)).toHaveLength(1);
});

test('400: no person could sign in with the credentials; the challenge stays open for valid credentials', async () => {
  const newcomer = await registration.newcomer();
  const { challenge } = newcomer;
  const key = createKeyCredential();
  const twin = generateKeyPairSync('ed25519');
  const bodies: Readonly<Record<string, object>> = {
    'a password alone': { firstFactorCredential: PASSWORD },
    'one key in two places': { firstFactorCredential: key.attest(challenge), secondFactorCredential: key.attest(challenge) },
    'one key under two ids': {
      firstFactorCredential: createKeyCredential('Key', twin).attest(challenge),
      recoveryCredential: createKeyCredential('RecoveryKey', twin).attest(challenge),
    },
    'another challenge': withKey('AAAA'),
    'a wrong one-time password': {
      firstFactorCredential: PASSWORD,
      secondFactorCredential: { credentialKind: 'Totp', credentialInfo: { otpCode: codeOf(newcomer.otpUrl, 0) } },
    },
    'a passkey of another page': {
      firstFactorCredential: {
        credentialKind: 'Fido2',
        credentialInfo: createAuthenticator().attest(challenge, { clientData: { origin: 'https://elsewhere.example' } }),
      },
    },
    'a bad second factor with a good first factor': {
      firstFactorCredential: key.attest(challenge),
      secondFactorCredential: createKeyCredential().attest('AAAA'),
    },
    'a bad recovery key with a good key': {
      firstFactorCredential: key.attest(challenge),
      recoveryCredential: createKeyCredential('RecoveryKey').attest('AAAA'),
    },
  };
  for (const [what, body] of Object.entries(bodies)) {
    expect([what, await complete(newcomer, body)]).toEqual([what, refused(400, 'AttestationInvalid')]);
  }
  expect(await credentialsOf(newcomer)).toEqual([]);
  expect((await complete(newcomer, withKey(challenge))).status).toBe(200);
});

test('400: the organisation already has the credential id, and nothing is stored', async () => {
  const first = await registration.newcomer();
  const key = createKeyCredential();
  expect((await complete(first, withKey(first.challenge, key))).status).toBe(200);
  const invited = await registration.invite(first.orgId);
  const second = await registration.begin(invited);
  const stolen = { ...createKeyCredential('RecoveryKey').attest(second.challenge) };
  stolen['credentialInfo'] = { ...(stolen['credentialInfo'] as object), credId: key.credId };
  const body = { ...withKey(second.challenge), recoveryCredential: stolen };
  expect(await complete(second, body)).toEqual(refused(400, 'AttestationInvalid'));
  expect(await credentialsOf(invited)).toEqual([]);
  expect(await registration.userOf(invited)).toMatchObject({ isRegistered: false });
});

test('400: a body with a credential kind in a member that does not allow it, or with unknown members', async () => {
  const newcomer = await registration.newcomer();
  const { challenge } = newcomer;
  const recovery = createKeyCredential('RecoveryKey').attest(challenge);
  for (const body of [
    {},
    { firstFactorCredential: recovery },
    { firstFactorCredential: totp(newcomer) },
    { ...withKey(challenge), secondFactorCredential: PASSWORD },
    { ...withKey(challenge), recoveryCredential: createKeyCredential().attest(challenge) },
    { ...withKey(challenge), wallets: [] },
    { firstFactorCredential: { ...PASSWORD, credentialInfo: { password: 'too short' } } },
  ]) {
    expect([body, await complete(newcomer, body)]).toEqual([body, refused(400, 'InvalidRequest')]);
  }
});

test('401: no token, tokens of other kinds, and a token for another user, organisation or challenge', async () => {
  const newcomer = await registration.newcomer();
  const { orgId, userId, challenge } = newcomer;
  const { tokens, createPerson, createOrganization } = registration.api;
  const person = await createPerson(orgId);
  const awaited = await registration.invite(orgId);
  const later = new Date(Date.now() + 60_000);
  const id = newcomer.temporaryAuthenticationToken && (await claimsOf(newcomer)).id;
  const wrong: Readonly<Record<string, string | undefined>> = {
    none: undefined,
    'a session': person.token,
    'a ceremony': await tokens.sign('ceremony', { id, userId, orgId }, later),
    'another organisation': await tokens.sign('temporary', { id, userId, orgId: await createOrganization() }, later),
    'another user': await tokens.sign('temporary', { id, userId: awaited.userId, orgId }, later),
    'another challenge': await tokens.sign('temporary', { id: newId('challenge'), userId, orgId }, later),
    expired: await tokens.sign('temporary', { id, userId, orgId }, new Date(Date.now() - 60_000)),
  };
  for (const [what, token] of Object.entries(wrong)) {
    const { status, body } = await registration.say('POST', PATH, withKey(challenge), token);
    expect([what, status, body]).toEqual([what, 401, NOT_AUTHORIZED]);
  }
  for (const one of [newcomer, awaited]) expect(await registration.userOf(one)).toMatchObject({ isRegistered: false });
});

const claimsOf = async ({ temporaryAuthenticationToken }: Challenge) => {
  const claims = await registration.api.tokens.verify('temporary', temporaryAuthenticationToken);
  if (!claims) throw new Error('the token is not one of ours');
  return claims;
};

test('401: the challenge was made for another purpose or has expired, or the person may no longer register', async () => {
  const { db } = registration.api.database;
  const ends: Readonly<Record<string, string>> = {
    recovery: `UPDATE challenges SET kind = 'Recovery' WHERE user_id = $1`,
    expired: 'UPDATE challenges SET date_expires = clock_timestamp() WHERE user_id = $1',
    deactivated: 'UPDATE users SET is_active = false WHERE id = $1',
    archived: 'UPDATE users SET date_archived = clock_timestamp() WHERE id = $1',
    registered: 'UPDATE users SET is_registered = true WHERE id = $1',
  };
  for (const [what, sql] of Object.entries(ends)) {
    const newcomer = await registration.newcomer();
    await db.withOrg(newcomer.orgId, (tx) => tx.query(sql, [newcomer.userId]));
    const { status, body } = await complete(newcomer, withKey(newcomer.challenge));
    expect([what, status, body]).toEqual([what, 401, NOT_AUTHORIZED]);
    expect(await credentialsOf(newcomer)).toEqual([]);
  }
});
