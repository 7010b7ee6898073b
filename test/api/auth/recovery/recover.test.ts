import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { issueToken } from '../../../../application/access-tokens/tokens';
import { createKeyCredential } from '../../../support/key-credentials';
import { challengeOf, type RecoveryApi, startRecoveryApi } from '../../../support/recovery-api';
import { NOT_AUTHORIZED } from '../../../support/sign-in-api';

let api: RecoveryApi;
let orgId: string;
beforeAll(async () => {
  api = await startRecoveryApi();
  orgId = await api.createOrganization();
});
afterAll(() => api?.close());

const refused = { status: 401, body: NOT_AUTHORIZED };
const usableOf = async (userId: string) =>
  (
    await api.db
      .read(orgId)
      .select<{ id: string }>(
        `SELECT credential_id AS id FROM credentials WHERE user_id = $1 AND is_active AND date_removed IS NULL ORDER BY credential_id`,
        [userId],
      )
  ).map(({ id }) => id);

test('200: the new credentials replace all former credentials, sessions and tokens of the person', async () => {
  const org = await api.createOrganization();
  const admin = await api.createPerson(org, { name: 'admin' });
  const person = await api.createRecoverable(org, { operations: ['Wallets:Read'] });
  const bystander = await api.createRecoverable(org, { operations: [] });
  const program = await api.db.withOrg(org, (tx) =>
    issueToken(tx, api.tokens, { userId: person.userId, kind: 'Pat', lifetimeMs: 60_000, name: 'program' }),
  );
  const statusOf = async (token: string) =>
    (await fetch(`${api.url}/auth/credentials`, { headers: { authorization: `Bearer ${token}` } })).status;
  expect(await statusOf(program.token)).toBe(200);
  const login = await api.begin({ orgId: org, username: person.username });

  const { key, recoveryKey, answer } = await api.recover(person);
  expect(answer.status).toBe(200);
  expect(answer.body).toEqual({
    credential: { uuid: expect.stringMatching(/^cred-/), kind: 'Key', name: 'My Key' },
    user: { id: person.userId, username: person.username, orgId: org },
  });

  expect([await statusOf(person.token), await statusOf(program.token), await statusOf(bystander.token)]).toEqual([401, 401, 200]);
  const firstFactor = person.client.factor(login.challenge);
  expect(await api.call('POST', '/auth/login', { challengeIdentifier: login.challengeIdentifier, firstFactor })).toMatchObject(
    refused,
  );
  const asked = { orgId: org, username: person.username };
  expect(await api.logIn(asked, (challenge) => ({ firstFactor: person.client.factor(challenge) }))).toMatchObject(refused);
  expect((await api.logIn(asked, (challenge) => ({ firstFactor: key.assert(challenge) }))).status).toBe(200);

  const [row] = await api.db.read(org).select<{ changed: boolean; uuid: string; version: number }>(
    `SELECT date_credentials_changed > clock_timestamp() - interval '1 minute' AS changed, credential_uuid AS uuid, version
     FROM users WHERE id = $1`,
    [person.userId],
  );
  expect(row).toEqual({ changed: true, uuid: (answer.body['credential'] as { uuid: string }).uuid, version: 2 });
  expect(await api.toldOf(person, 'RecoveryCompleted')).toEqual([admin.username, person.username].sort());

  // The new recovery key also recovers.
  expect((await api.recover({ ...person, recoveryKey })).answer.status).toBe(200);
});

test('200: a list of new credentials with different spacing or order is the same list', async () => {
  const person = await api.createRecoverable(orgId);
  const challenge = await api.beginRecovery(person, person.recoveryKey);
  const { newCredentials } = api.renew(challenge);
  const turned = Buffer.from(JSON.stringify(Object.fromEntries(Object.entries(newCredentials).reverse()), null, 2));
  const recovery = person.recoveryKey.assert(turned.toString('base64url'));
  expect((await api.complete(challenge.temporaryAuthenticationToken, newCredentials, recovery)).status).toBe(200);
});

test('200: of forty completions, exactly one succeeds', async () => {
  const person = await api.createRecoverable(orgId);
  const challenge = await api.beginRecovery(person, person.recoveryKey);
  const { newCredentials, key, recoveryKey } = api.renew(challenge);
  const recovery = person.recoveryKey.assert(challengeOf(newCredentials));
  const once = () => api.complete(challenge.temporaryAuthenticationToken, newCredentials, recovery);
  const answers = await api.inParallel(once);
  expect(answers[200]).toBe(1);
  expect(answers[401]).toBe(39);
  expect(await usableOf(person.userId)).toEqual([key.credId, recoveryKey.credId].sort());
  expect(await api.toldOf(person, 'RecoveryCompleted')).toContain(person.username);
});

test('200: unless the organisation sets a different wait, a recovery waits a day and changes nothing until then', async () => {
  const person = await api.createRecoverable(await api.createOrganization({}));
  const { answer } = await api.recover(person);
  expect(answer.status).toBe(200);
  const { dateEffective } = answer.body['recovery'] as { dateEffective: string };
  expect(Math.round((Date.parse(dateEffective) - Date.now()) / 3_600_000)).toBe(24);
  expect((await person.client.get('/organizations/settings')).status).toBe(200);
});

test('200: a shortened wait takes effect only after the former wait has passed', async () => {
  const org = await api.createOrganization();
  const admin = await api.createPerson(org);
  const person = await api.createRecoverable(org);
  const set = (hours: number) => admin.client.change('PUT', '/organizations/settings', { recoveryWaitHours: hours });
  expect((await set(48)).status).toBe(200);
  expect((await set(0)).status).toBe(200);
  const { answer } = await api.recover(person);
  const { dateEffective } = answer.body['recovery'] as { dateEffective: string };
  expect(Math.round((Date.parse(dateEffective) - Date.now()) / 3_600_000)).toBe(48);
});

test('401: the signature is over different content, by a different key or for another purpose; the challenge stays usable', async () => {
  const person = await api.createRecoverable(orgId);
  const before = await usableOf(person.userId);
  const challenge = await api.beginRecovery(person, person.recoveryKey);
  const token = challenge.temporaryAuthenticationToken;
  const { newCredentials } = api.renew(challenge);
  const signed = challengeOf(newCredentials);
  const thief = api.renew(challenge);
  const { recoveryKey } = person;
  const attempts: [unknown, unknown][] = [
    // The signed credentials differ from the sent credentials.
    [thief.newCredentials, recoveryKey.assert(signed)],
    [newCredentials, recoveryKey.assert(challengeOf({ ...newCredentials, recoveryCredential: undefined }))],
    [{ firstFactorCredential: newCredentials.firstFactorCredential }, recoveryKey.assert(signed)],
    // The challenge of the recovery itself authorises nothing.
    [newCredentials, recoveryKey.assert(challenge.challenge)],
    [newCredentials, recoveryKey.assert(signed, { privateKey: generateKeyPairSync('ed25519').privateKey })],
    [newCredentials, recoveryKey.assert(signed, { clientData: { type: 'key.create' } })],
  ];
  for (const [sent, recovery] of attempts) expect(await api.complete(token, sent, recovery)).toMatchObject(refused);
  expect(await usableOf(person.userId)).toEqual(before);
  expect((await api.complete(token, newCredentials, recoveryKey.assert(signed))).status).toBe(200);
});

test('401: the credential is not a recovery key, or did not begin the recovery', async () => {
  const person = await api.createRecoverable(orgId);
  const second = await api.addKey(person, 'RecoveryKey');
  const challenge = await api.beginRecovery(person, person.recoveryKey);
  const { newCredentials } = api.renew(challenge);
  const signed = challengeOf(newCredentials);
  const asKey = { ...person.client.factor(signed), kind: 'RecoveryKey' };
  for (const recovery of [asKey, second.assert(signed), createKeyCredential('RecoveryKey').assert(signed)]) {
    expect(await api.complete(challenge.temporaryAuthenticationToken, newCredentials, recovery)).toMatchObject({
      status: 401,
      body: { error: { id: 'CredentialUnusable', message: 'Credential cannot be used as a recovery factor.' } },
    });
  }
});

test('401: the recovery was replaced by another, has expired or is complete, or the token has another kind', async () => {
  const person = await api.createRecoverable(orgId);
  const first = await api.beginRecovery(person, person.recoveryKey);
  const second = await api.beginRecovery(person, person.recoveryKey);
  const third = await api.createRecoverable(orgId);
  const expired = await api.beginRecovery(third, third.recoveryKey);
  await api.change(orgId, 'UPDATE challenges SET date_expires = clock_timestamp() WHERE org_id = $1 AND user_id = $2', [
    third.userId,
  ]);
  const attempt = (challenge: typeof first, key = person.recoveryKey, token = challenge.temporaryAuthenticationToken) => {
    const { newCredentials } = api.renew(challenge);
    return api.complete(token, newCredentials, key.assert(challengeOf(newCredentials)));
  };
  expect(await attempt(first)).toMatchObject(refused);
  expect(await attempt(expired, third.recoveryKey)).toMatchObject(refused);
  expect(await attempt(second, person.recoveryKey, person.token)).toMatchObject(refused);
  expect(await attempt(second, person.recoveryKey, 'nonsense')).toMatchObject(refused);
  expect((await attempt(second)).status).toBe(200);
  expect(await attempt(second)).toMatchObject(refused);
});

test('401: the person or the recovery key was deactivated after the recovery began', async () => {
  const gone = await api.createRecoverable(orgId);
  const cautious = await api.createRecoverable(orgId);
  const begun = [await api.beginRecovery(gone, gone.recoveryKey), await api.beginRecovery(cautious, cautious.recoveryKey)];
  await api.change(orgId, 'UPDATE users SET is_active = false WHERE org_id = $1 AND id = $2', [gone.userId]);
  await api.change(orgId, 'UPDATE credentials SET is_active = false WHERE org_id = $1 AND id = $2', [cautious.recoveryKey.uuid]);
  for (const [index, { recoveryKey }] of [gone, cautious].entries()) {
    const challenge = begun[index];
    if (!challenge) throw new Error('the recovery was not begun');
    const { newCredentials } = api.renew(challenge);
    const recovery = recoveryKey.assert(challengeOf(newCredentials));
    expect((await api.complete(challenge.temporaryAuthenticationToken, newCredentials, recovery)).status).toBe(401);
  }
});

test('400: the new credentials have a wrong challenge or an id that is already in use, or are only a password', async () => {
  const person = await api.createRecoverable(orgId);
  const challenge = await api.beginRecovery(person, person.recoveryKey);
  const other = await api.createPerson(orgId);
  const taken = createKeyCredential().attest(challenge.challenge);
  const lists = [
    { firstFactorCredential: createKeyCredential().attest('another challenge') },
    {
      firstFactorCredential: {
        ...taken,
        credentialInfo: { ...(taken['credentialInfo'] as object), credId: other.credId },
      },
    },
    { firstFactorCredential: { credentialKind: 'Password', credentialInfo: { password: randomBytes(12).toString('hex') } } },
  ];
  for (const newCredentials of lists) {
    const recovery = person.recoveryKey.assert(challengeOf(newCredentials));
    const answer = await api.complete(challenge.temporaryAuthenticationToken, newCredentials, recovery);
    expect(answer).toMatchObject({ status: 400, body: { error: { id: 'AttestationInvalid' } } });
  }
});

test('400: a body without new credentials, with another kind of recovery or an unknown member', async () => {
  const person = await api.createRecoverable(orgId);
  const challenge = await api.beginRecovery(person, person.recoveryKey);
  const { newCredentials } = api.renew(challenge);
  const recovery = person.recoveryKey.assert(challengeOf(newCredentials));
  const bodies = [
    { recovery },
    { newCredentials },
    { recovery: { ...recovery, kind: 'Key' }, newCredentials },
    { recovery, newCredentials: { ...newCredentials, orgId } },
    { recovery, newCredentials, orgId },
  ];
  for (const body of bodies) {
    const answer = await api.call('POST', '/auth/recover/user', body, challenge.temporaryAuthenticationToken);
    expect(answer).toMatchObject({ status: 400, body: { error: { id: 'InvalidRequest' } } });
  }
});
