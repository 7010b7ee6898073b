import { UserEntity } from '../../../../entities/users/user.entity';
import { type Person, startApi, type TestApi } from '../../../support/api';
import { firstIssue } from '../../../support/policy-api';
import { NOBODY } from '../../../support/users';

let api: TestApi;
let orgId: string;
let admin: Person;
let person: Person;
beforeAll(async () => {
  api = await startApi();
  orgId = await api.createOrganization();
  admin = await api.createPerson(orgId);
  person = await api.createPerson(orgId);
});
afterAll(() => api?.close());

const update = (body: unknown, id = person.userId, by = admin) => by.client.change('PUT', `/auth/users/${id}`, body);

test('200: the answer shows that the user must sign in through the provider, and a repeated request changes nothing', async () => {
  const first = await update({ isSSORequired: true });
  expect(first).toMatchObject({ status: 200, body: { userId: person.userId, isSSORequired: true } });
  expect(await update({ isSSORequired: true })).toMatchObject({ status: 200, body: first.body });
  expect(await api.database.db.read(orgId).row(UserEntity, 'WHERE t.id = $1', [person.userId])).toMatchObject({ version: 2 });
  expect(await update({ isSSORequired: false })).toMatchObject({ status: 200, body: { isSSORequired: false } });
});

test.each<[string, unknown, string]>([
  ['nothing', {}, 'body.isSSORequired'],
  ['a text in place of the boolean', { isSSORequired: 'true' }, 'body.isSSORequired'],
  ['a name', { isSSORequired: true, username: 'other@example.test' }, 'body.username'],
])('400: for %s, the error contains the path', async (_title, body, path) => {
  const answer = await update(body);
  expect(answer.status).toBe(400);
  expect(firstIssue(answer.body)).toBe(path);
});

test('403: without the permission', async () => {
  const reading = await api.createPerson(orgId, { operations: ['Auth:Users:Read'] });
  expect((await update({ isSSORequired: true }, person.userId, reading)).status).toBe(403);
});

test('404: an unknown id, a program, a user of another organisation and an archived user', async () => {
  const program = await api.createPerson(orgId, { isServiceAccount: true });
  const stranger = await api.createPerson(await api.createOrganization());
  const gone = await api.createPerson(orgId);
  await admin.client.change('DELETE', `/auth/users/${gone.userId}`);
  for (const id of [NOBODY, 'nobody', program.userId, stranger.userId, gone.userId]) {
    const { status, body } = await update({ isSSORequired: true }, id);
    expect([status, body]).toMatchObject([
      404,
      { error: { id: 'NotFound', message: 'user not found', details: { userId: id } } },
    ]);
  }
});

describe('requiring the provider for the last administrator with full access', () => {
  let own: { readonly orgId: string; readonly last: Person };
  const require = (isSSORequired: boolean, { userId } = own.last) =>
    own.last.client.change('PUT', `/auth/users/${userId}`, { isSSORequired });
  const provide = (provider: object | null) => own.last.client.change('PUT', '/organizations/settings', { sso: { provider } });
  const refused = { status: 409, body: { error: { id: 'LastAdministrator' } } };
  const PROVIDER = { issuer: 'https://login.example.test', clientId: 'vault', emailDomains: ['example.test'] };
  beforeEach(async () => {
    const ownId = await api.createOrganization();
    own = { orgId: ownId, last: await api.createPerson(ownId) };
  });

  test('409: the organisation has no provider, so no person could log in any more', async () => {
    expect(await require(true)).toMatchObject(refused);
    expect(await own.last.client.get(`/auth/users/${own.last.userId}`)).toMatchObject({ body: { isSSORequired: false } });
  });

  test('200: the change succeeds while another administrator can log in; 409: the same change for that other administrator', async () => {
    const other = await api.createPerson(own.orgId);
    expect((await require(true)).status).toBe(200);
    expect(await require(true, other)).toMatchObject(refused);
    expect(await own.last.client.change('PUT', `/auth/users/${other.userId}/deactivate`)).toMatchObject(refused);
  });

  test('200: the change succeeds with a provider, and the provider cannot be removed afterwards', async () => {
    expect((await provide(PROVIDER)).status).toBe(200);
    expect((await require(true)).status).toBe(200);
    expect(await provide(null)).toMatchObject(refused);
    expect((await require(false)).status).toBe(200);
    expect((await provide(null)).status).toBe(200);
  });
});
