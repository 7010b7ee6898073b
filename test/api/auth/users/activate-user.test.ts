import { UserEntity } from '../../../../entities/users/user.entity';
import { type Person, startApi, type TestApi } from '../../../support/api';
import { doorsOf, NOBODY } from '../../../support/users';

let api: TestApi;
let orgId: string;
let admin: Person;
beforeAll(async () => {
  api = await startApi();
  orgId = await api.createOrganization();
  admin = await api.createPerson(orgId);
});
afterAll(() => api?.close());

const activate = (userId: string, by = admin) => by.client.change('PUT', `/auth/users/${userId}/activate`, {});
const rowOf = (id: string) => api.database.db.read(orgId).row(UserEntity, 'WHERE t.id = $1', [id]);

test('200: a reactivated user has no earlier session and is treated as a new voter', async () => {
  const person = await api.createPerson(orgId);
  await admin.client.change('PUT', `/auth/users/${person.userId}/deactivate`, {});
  expect(await activate(person.userId)).toMatchObject({ status: 200, body: { userId: person.userId, isActive: true } });
  expect(await doorsOf(api, person)).toBe(0);
  expect((await person.client.get('/auth/users')).status).toBe(401);
  expect((await rowOf(person.userId))?.dateCredentialsChanged).not.toBeNull();
});

test('200: an active user stays unchanged', async () => {
  const person = await api.createPerson(orgId);
  expect(await activate(person.userId)).toMatchObject({ status: 200, body: { isActive: true } });
  expect(await rowOf(person.userId)).toMatchObject({ version: 1, dateCredentialsChanged: null });
  expect((await person.client.get('/auth/users')).status).toBe(200);
});

test('400: an unknown member of the body is refused', async () => {
  const path = `/auth/users/${admin.userId}/activate`;
  expect((await admin.client.change('PUT', path, { force: true })).status).toBe(400);
});

test('403: without the permission', async () => {
  const reading = await api.createPerson(orgId, { operations: ['Auth:Users:Deactivate'] });
  expect((await activate(admin.userId, reading)).status).toBe(403);
});

test('404: an unknown id, a program, a user of another organisation and an archived user', async () => {
  const program = await api.createPerson(orgId, { isServiceAccount: true });
  const stranger = await api.createPerson(await api.createOrganization());
  const gone = await api.createPerson(orgId);
  await admin.client.change('DELETE', `/auth/users/${gone.userId}`);
  for (const id of [NOBODY, program.userId, stranger.userId, gone.userId]) {
    expect([id, (await activate(id)).status]).toEqual([id, 404]);
  }
  expect(await rowOf(gone.userId)).toMatchObject({ isActive: false });
});
