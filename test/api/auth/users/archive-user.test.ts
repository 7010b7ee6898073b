import { type Person, startApi, type TestApi } from '../../../support/api';
import { doorsOf, NOBODY, openDoors, policyNaming } from '../../../support/users';

let api: TestApi;
let orgId: string;
let admin: Person;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api?.close());
beforeEach(async () => {
  orgId = await api.createOrganization();
  admin = await api.createPerson(orgId);
});

const archive = (userId: string, by = admin) => by.client.change('DELETE', `/auth/users/${userId}`);

test('200: the user is no longer found, all open work of the user ends, and a second removal changes nothing', async () => {
  const person = await api.createPerson(orgId);
  await openDoors(api, person);
  const first = await archive(person.userId);
  expect(first).toMatchObject({ status: 200, body: { userId: person.userId, isActive: false } });
  expect(await doorsOf(api, person)).toBe(0);
  expect((await person.client.get('/auth/users')).status).toBe(401);
  expect((await admin.client.get(`/auth/users/${person.userId}`)).status).toBe(404);
  const { body } = await admin.client.get('/auth/users');
  expect((body as { items: { userId: string }[] }).items.map(({ userId }) => userId)).toEqual([admin.userId]);
  expect(await archive(person.userId)).toMatchObject({ status: 200, body: first.body });
});

test('200: a user who is listed only by an archived policy can be archived', async () => {
  const person = await api.createPerson(orgId);
  const policyId = await policyNaming(api, orgId, person.userId);
  await admin.client.change('DELETE', `/v2/policies/${policyId}`);
  expect((await archive(person.userId)).status).toBe(200);
});

test('400: a user archives their own account', async () => {
  const { status, body } = await archive(admin.userId);
  expect([status, body]).toMatchObject([400, { error: { id: 'OwnState' } }]);
});

test('403: without the permission', async () => {
  const reading = await api.createPerson(orgId, { operations: ['Auth:Users:Deactivate'] });
  expect((await archive(admin.userId, reading)).status).toBe(403);
});

test('404: an unknown id, a program and a user of another organisation', async () => {
  const program = await api.createPerson(orgId, { isServiceAccount: true });
  const stranger = await api.createPerson(await api.createOrganization());
  for (const id of [NOBODY, program.userId, stranger.userId]) expect([id, (await archive(id)).status]).toEqual([id, 404]);
  expect((await stranger.client.get('/auth/users')).status).toBe(200);
});

test('409: a policy in force lists the user; the user stays, and the answer lists the policies', async () => {
  const person = await api.createPerson(orgId);
  const policyId = await policyNaming(api, orgId, person.userId);
  const { status, body } = await archive(person.userId);
  expect(status).toBe(409);
  expect(body).toMatchObject({
    error: {
      id: 'NamedApprover',
      message: expect.stringContaining(policyId),
      details: { userId: person.userId, policies: [{ id: policyId, name: 'Names somebody' }] },
    },
  });
  expect((await person.client.get('/auth/users')).status).toBe(200);
});

test('409: the user is the last active administrator', async () => {
  const helper = await api.createPerson(orgId, { operations: ['Auth:Users:Delete'] });
  const { status, body } = await archive(admin.userId, helper);
  expect([status, body]).toMatchObject([409, { error: { id: 'LastAdministrator' } }]);
});

test('409: of two simultaneous requests, to archive a user and to create a policy that lists this user, only one succeeds', async () => {
  for (let round = 0; round < 5; round++) {
    const person = await api.createPerson(orgId);
    const groups = [{ quorum: 1, approvers: { userId: { in: [person.userId] } } }];
    const policy = {
      name: 'Late',
      activityKind: 'Wallets:Sign',
      rule: { kind: 'AlwaysTrigger' },
      action: { kind: 'RequestApproval', approvalGroups: groups },
    };
    const [made, gone] = await Promise.all([admin.client.change('POST', '/v2/policies', policy), archive(person.userId)]);
    expect([
      [200, 409],
      [400, 200],
    ]).toContainEqual([made.status, gone.status]);
  }
});
