import { Client } from '../../../support/client';
import { type Body, type Challenge, type CredentialApi, startCredentialApi } from '../../../support/credential-api';
import { createKeyCredential } from '../../../support/key-credentials';

let on: CredentialApi;
beforeAll(async () => {
  on = await startCredentialApi();
});
beforeEach(() => on.forgetGuesses());
afterAll(() => on?.api.close());

const PATH = '/auth/credentials/deactivate';
const LAST = {
  status: 409,
  body: {
    error: { id: 'LastCredential', message: 'The last credential that can sign or log in cannot be deactivated or removed' },
  },
};

test('200: a deactivated credential no longer signs, and a second deactivation changes nothing', async () => {
  const person = await on.person();
  const passkey = await on.passkey(person);
  const body = { credentialUuid: passkey.uuid };
  expect(await person.client.change('PUT', PATH, body)).toMatchObject({
    status: 200,
    body: { message: 'The credential is deactivated.' },
  });
  const changed = await on.changedAt(person);
  expect((await on.sign(person.client, (challenge) => ({ firstFactor: passkey.factor(challenge) }))).status).toBe(401);
  expect((await person.client.change('PUT', PATH, body)).status).toBe(200);
  expect(await on.changedAt(person)).toEqual(changed);
  expect((await on.credentials(person)).map(({ isActive }) => isActive)).toEqual([true, false]);
});

test('200: the sessions that the credential opened end; all other sessions stay open', async () => {
  const person = await on.person();
  const [stolen, kept] = [await on.key(person), await on.key(person)];
  const [thief, owner] = [await on.session(person, stolen.uuid), await on.session(person, kept.uuid)];
  expect((await thief.get('/auth/credentials')).status).toBe(200);
  await person.client.change('PUT', PATH, { credentialUuid: stolen.uuid });
  expect((await thief.get('/auth/credentials')).status).toBe(401);
  expect((await owner.get('/auth/credentials')).status).toBe(200);
  expect((await person.client.get('/auth/credentials')).status).toBe(200);
});

test('200: the deactivation voids codes and challenges for further credentials', async () => {
  const person = await on.person();
  const stolen = await on.key(person);
  const [byCode, challenge] = [await on.code(person), await on.begin(person, 'Key')];
  await person.client.change('PUT', PATH, { credentialUuid: stolen.uuid });
  expect((await on.anonymous('/auth/credentials/code/init', { code: byCode, credentialKind: 'Key' })).status).toBe(403);
  expect(await on.create(person, challenge, createKeyCredential().attest(challenge.challenge))).toMatchObject({
    status: 400,
    body: { error: { id: 'ChallengeInvalid' } },
  });
});

test.each([
  ['first', (stolen: Body, own: Body) => ({ firstFactor: stolen, secondFactor: own })],
  ['second', (stolen: Body, own: Body) => ({ firstFactor: own, secondFactor: stolen })],
])('400: the action was signed with the deactivated credential as the %s factor', async (_place, factorsOf) => {
  const person = await on.person();
  const stolen = await on.key(person);
  const text = JSON.stringify({ kind: 'Block' });
  const { challenge, challengeIdentifier } = (await person.client.announce('PUT', PATH, text)).body as Challenge;
  const factors = factorsOf(stolen.factor(challenge), person.client.factor(challenge));
  const signed = await person.client.post('/auth/action', { challengeIdentifier, ...factors });
  const headers = { 'x-svc-useraction': (signed.body as { userAction: string }).userAction };
  const credentialUuid = stolen.uuid;
  // While the credential is active, the action is accepted and only the body is refused, because it is not valid.
  const send = () => person.client.send({ method: 'PUT', path: PATH, text, headers });
  expect((await send()).body).toMatchObject({ error: { id: 'InvalidRequest' } });

  const good = JSON.stringify({ credentialUuid });
  const second = (await person.client.announce('PUT', PATH, good)).body as Challenge;
  const pair = factorsOf(stolen.factor(second.challenge), person.client.factor(second.challenge));
  const answer = await person.client.post('/auth/action', { challengeIdentifier: second.challengeIdentifier, ...pair });
  const userAction = (answer.body as { userAction: string }).userAction;
  await person.client.change('PUT', PATH, { credentialUuid });
  expect(
    await person.client.send({ method: 'PUT', path: PATH, text: good, headers: { 'x-svc-useraction': userAction } }),
  ).toMatchObject({ status: 400, body: { error: { id: 'UserActionUsed' } } });
});

test('409: the last credential that can sign stays active, whatever other credentials there are', async () => {
  const person = await on.person();
  await on.key(person, 'RecoveryKey');
  await on.password(person);
  await on.totp(person);
  const body = { credentialUuid: person.credentialUuid };
  expect(await person.client.change('PUT', PATH, body)).toMatchObject(LAST);
  expect(await person.client.change('DELETE', `/auth/credentials/${person.credentialUuid}`)).toMatchObject(LAST);
  const passkey = await on.passkey(person);
  expect((await person.client.change('PUT', PATH, body)).status).toBe(200);
  const [row] = await on.api.database.db.read(person.orgId).select<{ uuid: string }>('SELECT credential_uuid AS uuid FROM users');
  expect([passkey.uuid, ...(await on.credentials(person)).map(({ id }) => id)]).toContain(row?.uuid);
  expect(row?.uuid).not.toBe(person.credentialUuid);
});

test('409: if a password and a one-time password are the only credentials, both stay active', async () => {
  const person = await on.person();
  const [password, totp] = [await on.password(person), await on.totp(person)];
  await on.api.database.db.withOrg(person.orgId, (tx) =>
    tx.query(`UPDATE credentials SET is_active = false WHERE org_id = $1 AND kind = 'Key'`, [person.orgId]),
  );
  for (const [credentialUuid, stepsAhead] of [
    [password.uuid, 0],
    [totp.uuid, 1],
  ] as const) {
    await on.api.database.db.withOrg(person.orgId, (tx) =>
      tx.query('UPDATE credentials SET last_step = NULL WHERE org_id = $1', [person.orgId]),
    );
    const text = JSON.stringify({ credentialUuid });
    const { challengeIdentifier } = (await person.client.announce('PUT', PATH, text)).body as Challenge;
    const secondFactor = { kind: 'Totp', otpCode: totp.codeAt(stepsAhead) };
    const factors = { challengeIdentifier, firstFactor: password.factor(), secondFactor };
    const { body } = await person.client.post('/auth/action', factors);
    const headers = { 'x-svc-useraction': (body as { userAction: string }).userAction };
    expect(await person.client.send({ method: 'PUT', path: PATH, text, headers })).toMatchObject(LAST);
  }
});

test('404: a credential of a colleague and an unknown credential', async () => {
  const orgId = await on.api.createOrganization();
  const [person, colleague, stranger] = [await on.person(orgId), await on.person(orgId), await on.person()];
  await on.key(colleague);
  for (const credentialUuid of [colleague.credentialUuid, stranger.credentialUuid, on.unknown()]) {
    expect(await person.client.change('PUT', PATH, { credentialUuid })).toMatchObject({
      status: 404,
      body: { error: { id: 'NotFound' } },
    });
  }
});

test('400, 401 and 403: an invalid body, no token, no user action, a personal access token', async () => {
  const person = await on.person();
  expect(await person.client.change('PUT', PATH, {})).toMatchObject({
    status: 400,
    body: { error: { details: { issues: [{ path: 'body.credentialUuid' }] } } },
  });
  const text = JSON.stringify({ credentialUuid: person.credentialUuid });
  const put = (client: Client) => client.send({ method: 'PUT', path: PATH, text });
  expect((await put(new Client(on.api.url, { ...person, token: 'a.b.c' }))).status).toBe(401);
  expect(await put(person.client)).toMatchObject({ status: 403, body: { error: { id: 'UserActionInvalid' } } });
  await on.boundTo(person, person.tokenId, await on.key(person));
  expect(await put(person.client)).toMatchObject({ status: 403, body: { error: { id: 'Forbidden' } } });
});
