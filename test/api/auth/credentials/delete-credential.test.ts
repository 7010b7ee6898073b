import { Client } from '../../../support/client';
import { type CredentialApi, startCredentialApi } from '../../../support/credential-api';

let on: CredentialApi;
beforeAll(async () => {
  on = await startCredentialApi();
});
afterAll(() => on?.api.close());

const pathOf = (uuid: string) => `/auth/credentials/${uuid}`;

test('200: a removed credential cannot be restored; its secret and the sessions that it opened are deleted', async () => {
  const person = await on.person();
  const [key, password] = [await on.key(person, 'PasswordProtectedKey'), await on.password(person)];
  const session = await on.session(person, key.uuid);
  for (const { uuid } of [key, password]) {
    expect(await person.client.change('DELETE', pathOf(uuid))).toMatchObject({
      status: 200,
      body: { message: 'The credential has been removed.' },
    });
  }
  expect((await session.get('/auth/credentials')).status).toBe(401);
  const { items } = (await person.client.get('/auth/credentials')).body as { items: { credentialUuid: string }[] };
  expect(items.map(({ credentialUuid }) => credentialUuid)).toEqual([person.credentialUuid]);
  const [row] = await on.api.database.db
    .read(person.orgId)
    .select('SELECT is_active, secret, encrypted_private_key AS blob FROM credentials WHERE id = $1', [key.uuid]);
  expect(row).toEqual({ is_active: false, secret: null, blob: null });
  expect((await on.sign(person.client, (challenge) => ({ firstFactor: key.factor(challenge) }))).status).toBe(401);
  expect((await person.client.change('PUT', '/auth/credentials/activate', { credentialUuid: key.uuid })).status).toBe(404);
  expect(await on.changedAt(person)).toBeInstanceOf(Date);
});

test('200: a credential that signs for its own removal is removed', async () => {
  const person = await on.person();
  const key = await on.key(person);
  expect((await person.client.change('DELETE', pathOf(person.credentialUuid))).status).toBe(200);
  expect((await on.sign(person.client, (challenge) => ({ firstFactor: key.factor(challenge) }))).status).toBe(200);
});

test('200: a recovery key can always be removed', async () => {
  const person = await on.person();
  const { uuid } = await on.key(person, 'RecoveryKey');
  expect((await person.client.change('DELETE', pathOf(uuid))).status).toBe(200);
});

test('409: after 40 simultaneous removals of two credentials, exactly one credential is left', async () => {
  const person = await on.person();
  const other = await on.key(person);
  const uuids = [person.credentialUuid, other.uuid];
  const actions = await Promise.all(
    Array.from({ length: 40 }, async (_, index) => {
      const path = pathOf(uuids[index % 2] ?? '');
      return { path, userAction: await person.client.userAction('DELETE', path, '{}') };
    }),
  );
  const answers = await Promise.all(
    actions.map(({ path, userAction }) =>
      person.client.send({ method: 'DELETE', path, text: '{}', headers: { 'x-svc-useraction': userAction } }),
    ),
  );
  const statuses = answers.map(({ status }) => status);
  expect(statuses.filter((status) => status === 200)).toHaveLength(1);
  // Every other request is for the last credential or for a removed one, or was signed by a removed credential.
  expect(statuses.filter((status) => ![200, 400, 404, 409].includes(status))).toEqual([]);
  expect((await on.credentials(person)).filter(({ isRemoved }) => !isRemoved)).toHaveLength(1);
});

test('409: the only credential stays', async () => {
  const person = await on.person();
  expect(await person.client.change('DELETE', pathOf(person.credentialUuid))).toMatchObject({
    status: 409,
    body: { error: { id: 'LastCredential' } },
  });
});

test('404: the credential was removed, belongs to a colleague, to another organisation or to a token, or is unknown', async () => {
  const orgId = await on.api.createOrganization();
  const [person, colleague, stranger] = [await on.person(orgId), await on.person(orgId), await on.person()];
  const [removed, bound] = [await on.key(person), await on.key(person)];
  await person.client.change('DELETE', pathOf(removed.uuid));
  await on.api.database.db.withOrg(orgId, (tx) =>
    tx.query('UPDATE credentials SET is_token_bound = true WHERE org_id = $1 AND id = $2', [orgId, bound.uuid]),
  );
  for (const uuid of [removed.uuid, colleague.credentialUuid, stranger.credentialUuid, bound.uuid, on.unknown()]) {
    expect(await person.client.change('DELETE', pathOf(uuid))).toMatchObject({
      status: 404,
      body: { error: { id: 'NotFound', message: 'credential not found' } },
    });
  }
});

test('400, 401 and 403: a body that is not empty, no token, no user action, a personal access token', async () => {
  const person = await on.person();
  const { uuid } = await on.key(person);
  expect(await person.client.change('DELETE', pathOf(uuid), { force: true })).toMatchObject({
    status: 400,
    body: { error: { details: { issues: [{ path: 'body.force' }] } } },
  });
  const remove = (client: Client) => client.send({ method: 'DELETE', path: pathOf(uuid), text: '{}' });
  expect((await remove(new Client(on.api.url, { ...person, token: 'a.b.c' }))).status).toBe(401);
  expect(await remove(person.client)).toMatchObject({ status: 403, body: { error: { id: 'UserActionInvalid' } } });
  await on.boundTo(person, person.tokenId, await on.key(person));
  expect(await remove(person.client)).toMatchObject({ status: 403, body: { error: { id: 'Forbidden' } } });
});
