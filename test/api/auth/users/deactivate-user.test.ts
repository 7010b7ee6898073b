import { type Person, startApi, type TestApi } from '../../../support/api';
import { doorsOf, NOBODY, openDoors } from '../../../support/users';

let api: TestApi;
let orgId: string;
let admin: Person;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api?.close());
beforeEach(async () => {
  orgId = await api.createOrganization();
  admin = await api.createPerson(orgId, { name: 'admin' });
});

const deactivate = (userId: string, by = admin) => by.client.change('PUT', `/auth/users/${userId}/deactivate`, {});

test('200: sessions, codes and challenges end at once, and a second deactivation changes nothing', async () => {
  const person = await api.createPerson(orgId);
  await openDoors(api, person);
  expect(await doorsOf(api, person)).toBe(3);
  expect((await person.client.get('/auth/users')).status).toBe(200);
  const first = await deactivate(person.userId);
  expect(first).toMatchObject({ status: 200, body: { userId: person.userId, isActive: false } });
  expect(await doorsOf(api, person)).toBe(0);
  expect((await person.client.get('/auth/users')).status).toBe(401);
  expect(await deactivate(person.userId)).toMatchObject({ status: 200, body: first.body });
});

test('200: an administrator can be deactivated while another stays active; an end user can be deactivated at any time', async () => {
  const second = await api.createPerson(orgId);
  const customer = await api.createPerson(orgId, { kind: 'EndUser' });
  expect((await deactivate(second.userId)).status).toBe(200);
  expect((await deactivate(customer.userId)).status).toBe(200);
});

test('400: a user deactivates their own account', async () => {
  await api.createPerson(orgId);
  const { status, body } = await deactivate(admin.userId);
  expect(status).toBe(400);
  expect(body).toEqual({ error: { id: 'OwnState', status: 400, message: 'user cannot modify its own state' } });
});

test('403: without the permission', async () => {
  const reading = await api.createPerson(orgId, { operations: ['Auth:Users:Read', 'Auth:Users:Activate'] });
  expect((await deactivate(admin.userId, reading)).status).toBe(403);
});

test('404: an unknown id, a program and a user of another organisation', async () => {
  const program = await api.createPerson(orgId, { isServiceAccount: true });
  const stranger = await api.createPerson(await api.createOrganization());
  for (const id of [NOBODY, 'nobody', program.userId, stranger.userId]) {
    expect([id, (await deactivate(id)).status]).toEqual([id, 404]);
  }
  expect((await stranger.client.get('/auth/users')).status).toBe(200);
});

test('409: the user is the last active administrator, although a program and an unregistered user also have full access', async () => {
  const helper = await api.createPerson(orgId, { operations: ['Auth:Users:Deactivate'] });
  await api.createPerson(orgId, { isServiceAccount: true });
  const invited = await api.createPerson(orgId);
  await api.database.db.withOrg(orgId, (tx) =>
    tx.query('UPDATE users SET is_registered = false WHERE org_id = $1 AND id = $2', [orgId, invited.userId]),
  );
  const { status, body } = await deactivate(admin.userId, helper);
  expect(status).toBe(409);
  expect(body).toMatchObject({ error: { id: 'LastAdministrator' } });
  expect((await admin.client.get('/auth/users')).status).toBe(200);
});

test('409: two administrators deactivate each other at once, and one of them stays active', async () => {
  for (let round = 0; round < 5; round++) {
    const org = await api.createOrganization();
    const [one, two] = [await api.createPerson(org), await api.createPerson(org)];
    const actionFor = async (by: Person, whom: Person) => {
      const path = `/auth/users/${whom.userId}/deactivate`;
      const action = await by.client.userAction('PUT', path, '{}');
      return () => by.client.send({ method: 'PUT', path, text: '{}', headers: { 'x-svc-useraction': action } });
    };
    const calls = [await actionFor(one, two), await actionFor(two, one)];
    const statuses = (await Promise.all(calls.map((call) => call()))).map(({ status }) => status);
    // The second request fails on the token check or on the rule for the last administrator.
    expect(statuses.filter((status) => status === 200)).toHaveLength(1);
    const still = await Promise.all([one, two].map(async ({ client }) => (await client.get('/auth/users')).status));
    expect(still.sort()).toEqual([200, 401]);
  }
});
