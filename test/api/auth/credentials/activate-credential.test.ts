import { type CredentialApi, startCredentialApi } from '../../../support/credential-api';

let on: CredentialApi;
beforeAll(async () => {
  on = await startCredentialApi();
});
afterAll(() => on?.api.close());

const PATH = '/auth/credentials/activate';

test('200: a credential can be used again, and a second activation changes nothing', async () => {
  const person = await on.person();
  const key = await on.key(person);
  const credentialUuid = key.uuid;
  const sign = () => on.sign(person.client, (challenge) => ({ firstFactor: key.factor(challenge) }));
  await person.client.change('PUT', '/auth/credentials/deactivate', { credentialUuid });
  expect((await sign()).status).toBe(401);
  const before = await on.changedAt(person);
  expect(await person.client.change('PUT', PATH, { credentialUuid })).toMatchObject({
    status: 200,
    body: { message: 'The credential is active.' },
  });
  const after = await on.changedAt(person);
  expect(after?.getTime()).toBeGreaterThan(before?.getTime() ?? 0);
  expect((await sign()).status).toBe(200);
  expect((await person.client.change('PUT', PATH, { credentialUuid })).status).toBe(200);
  expect(await on.changedAt(person)).toEqual(after);
});

test('404: the credential belongs to a colleague or to a token, was removed or is unknown', async () => {
  const orgId = await on.api.createOrganization();
  const [person, colleague] = [await on.person(orgId), await on.person(orgId)];
  const [removed, bound] = [await on.key(person), await on.key(person)];
  await person.client.change('DELETE', `/auth/credentials/${removed.uuid}`);
  await on.api.database.db.withOrg(orgId, (tx) =>
    tx.query('UPDATE credentials SET is_token_bound = true, is_active = false WHERE org_id = $1 AND id = $2', [
      orgId,
      bound.uuid,
    ]),
  );
  for (const credentialUuid of [colleague.credentialUuid, removed.uuid, bound.uuid, on.unknown(), 'x']) {
    expect(await person.client.change('PUT', PATH, { credentialUuid })).toMatchObject({
      status: 404,
      body: { error: { id: 'NotFound', message: 'credential not found', details: { credentialUuid } } },
    });
  }
  expect((await on.credentials(person)).filter(({ isActive }) => isActive)).toHaveLength(1);
});

test('409: a third password stays inactive', async () => {
  const person = await on.person();
  const [first] = [await on.password(person), await on.password(person)];
  await person.client.change('PUT', '/auth/credentials/deactivate', { credentialUuid: first?.uuid });
  await on.password(person);
  expect(await person.client.change('PUT', PATH, { credentialUuid: first?.uuid })).toMatchObject({
    status: 409,
    body: { error: { id: 'Conflict' } },
  });
});

test.each([
  ['body.credentialUuid', {}],
  ['body.credentialUuid', { credentialUuid: '' }],
  ['body.userId', { credentialUuid: 'x', userId: 'us' }],
])('400: the error reports an invalid %s', async (path, body) => {
  const person = await on.person();
  expect(await person.client.change('PUT', PATH, body)).toMatchObject({
    status: 400,
    body: { error: { id: 'InvalidRequest', details: { issues: [{ path }] } } },
  });
});

test('403: without a user action, and by a personal access token', async () => {
  const person = await on.person();
  const body = JSON.stringify({ credentialUuid: person.credentialUuid });
  const put = () => person.client.send({ method: 'PUT', path: PATH, text: body });
  expect(await put()).toMatchObject({ status: 403, body: { error: { id: 'UserActionInvalid' } } });
  await on.boundTo(person, person.tokenId, await on.key(person));
  expect(await put()).toMatchObject({ status: 403, body: { error: { id: 'Forbidden' } } });
});
