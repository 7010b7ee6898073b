import { operations } from '../../../../api/operations';
import { shownOperations, storedOperations } from '../../../../domain/permissions';
import { startApi, type TestApi } from '../../../support/api';

let api: TestApi;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api?.close());

test('200: the managed permission for full access is shown as a list of every operation of the catalogue', async () => {
  const orgId = await api.createOrganization();
  const admin = await api.createPerson(orgId, { name: 'Ada' });
  const { status, body } = await admin.client.get(`/auth/users/${admin.userId}`);
  expect(status).toBe(200);
  expect(body).toEqual({
    username: admin.username,
    name: 'Ada',
    userId: admin.userId,
    kind: 'CustomerEmployee',
    credentialUuid: admin.credentialUuid,
    orgId,
    isActive: true,
    isServiceAccount: false,
    isRegistered: true,
    isSSORequired: false,
    permissionAssignments: [
      {
        permissionName: expect.any(String),
        permissionId: expect.stringMatching(/^pm-/),
        assignmentId: expect.stringMatching(/^as-/),
        operations: expect.arrayContaining(['Auth:Users:Read', 'Policies:Evaluations:Vote', 'Wallets:Create', 'Keys:Create']),
      },
    ],
  });
  const [assignment] = (body as { permissionAssignments: { operations: string[] }[] }).permissionAssignments;
  const asked = new Set(operations.flatMap(({ permission }) => (permission === null ? [] : [permission])));
  expect(assignment?.operations).toEqual(expect.arrayContaining(shownOperations(storedOperations([...asked]))));
  expect(assignment?.operations).not.toContain('*');
});

test('200: an asterisk in a permission that is not managed grants nothing', async () => {
  const orgId = await api.createOrganization();
  const person = await api.createPerson(orgId, { operations: ['*'] });
  expect((await person.client.get(`/auth/users/${person.userId}`)).status).toBe(403);
});

test.each(['us-00000-00000-0000000000000000', 'nobody', 'us-%00', "us-'--", '%F0%9F%98%80', '%20'])(
  '404 or 400: %s is not a user',
  async (id) => {
    const admin = await api.createPerson(await api.createOrganization());
    const { status, body } = await admin.client.get(`/auth/users/${id}`);
    expect(status).toBe(id.includes('%00') ? 400 : 404);
    expect(body).toMatchObject({ error: { status } });
  },
);

test('404: a user of another organisation', async () => {
  const admin = await api.createPerson(await api.createOrganization());
  const stranger = await api.createPerson(await api.createOrganization());
  const { status, body } = await admin.client.get(`/auth/users/${stranger.userId}`);
  expect(status).toBe(404);
  expect(body).toEqual({
    error: { id: 'NotFound', status: 404, message: 'user not found', details: { userId: stranger.userId } },
  });
});
