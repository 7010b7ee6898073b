import { startApi, type TestApi } from '../../../support/api';

let api: TestApi;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api?.close());

test("200: a caller without any permission sees only the caller's own credentials", async () => {
  const orgId = await api.createOrganization();
  const person = await api.createPerson(orgId, { operations: [] });
  await api.createPerson(orgId);
  const { status, body } = await person.client.get('/auth/credentials');
  expect(status).toBe(200);
  expect(body).toEqual({
    items: [
      {
        kind: 'Key',
        credentialId: person.credId,
        credentialUuid: person.credentialUuid,
        dateCreated: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
        isActive: true,
        name: 'Key',
        publicKey: expect.stringMatching(/^-----BEGIN PUBLIC KEY-----/),
        relyingPartyId: '',
        origin: '',
      },
    ],
  });
});

test('403: the caller is a service account', async () => {
  const account = await api.createPerson(await api.createOrganization(), { isServiceAccount: true });
  const { status, body } = await account.client.get('/auth/credentials');
  expect(status).toBe(403);
  expect(body).toMatchObject({
    error: { message: `ServiceAccount ${account.userId} is not authorized to perform operation (listCredentials)` },
  });
});
