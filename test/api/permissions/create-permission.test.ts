import { PermissionEntity } from '../../../entities/permissions/permission.entity';
import { type PermissionApi, startPermissionApi } from '../../support/permission-api';
import { errorId, firstIssue } from '../../support/policy-api';

let parts: PermissionApi;
beforeAll(async () => {
  parts = await startPermissionApi();
});
afterAll(() => parts?.close());

const create = (body: unknown, by = parts.admin) => by.client.change('POST', '/permissions', body);
const stored = (id: string) => parts.db.read(parts.orgId).row(PermissionEntity, 'WHERE t.id = $1', [id]);

test('200: earlier names of operations are accepted, and the latest names are stored and shown once each', async () => {
  const operations = ['Policies:Approvals:Approve', 'Policies:Evaluations:Vote', 'Wallets:Tags:Delete', 'Keys:Read'];
  const { status, body } = await create({ name: 'Voters', operations });
  expect(status).toBe(200);
  const date = expect.stringMatching(/Z$/);
  expect(body).toEqual({
    id: expect.stringMatching(/^pm-[a-z0-9]{5}-[a-z0-9]{5}-[a-z0-9]{14,16}$/),
    name: 'Voters',
    operations: ['Keys:Read', 'Policies:Evaluations:Vote', 'Wallets:Tags:Remove'],
    status: 'Active',
    isImmutable: false,
    isArchived: false,
    dateCreated: date,
    dateUpdated: date,
  });
  expect(await stored((body as { id: string }).id)).toMatchObject({ isManaged: false, version: 1 });
});

test('200: a permission may contain a name that no public operation needs; this name grants its holder nothing', async () => {
  const permissionId = await parts.permission(['Auth:Types:Employee', 'Internal:Auth:Types:Staff']);
  const person = await parts.api.createPerson(parts.orgId, { operations: [] });
  await parts.assign(permissionId, person.userId);
  expect((await person.client.get('/permissions')).status).toBe(403);
});

test.each([
  [{ name: '', operations: ['Keys:Read'] }, 'body.name'],
  [{ name: '   ', operations: ['Keys:Read'] }, 'body.name'],
  [{ name: 'x'.repeat(101), operations: ['Keys:Read'] }, 'body.name'],
  [{ name: 'x', operations: [] }, 'body.operations'],
  [{ name: 'x', operations: ['Keys:Read', 'Keys:Melt'] }, 'body.operations.1'],
  [{ name: 'x', operations: ['*'] }, 'body.operations.0'],
  [{ name: 'x', operations: ['Wallets:Read@2'] }, 'body.operations.0'],
  [{ name: 'x' }, 'body.operations'],
  [{ name: 'x', operations: ['Keys:Read'], isImmutable: true }, 'body.isImmutable'],
])('400: for %j, the error contains the path of the fault', async (sent, path) => {
  const { status, body } = await create(sent);
  expect(status).toBe(400);
  expect(firstIssue(body)).toBe(path);
});

test('403: without Permissions:Create', async () => {
  const other = await parts.api.createPerson(parts.orgId, { operations: ['Permissions:Read'] });
  const { status, body } = await create({ name: 'Mine', operations: ['Keys:Read'] }, other);
  expect(status).toBe(403);
  expect(body).toMatchObject({ error: { message: expect.stringContaining('(Permissions:Create)') } });
});

test('409: the organisation already has the name, even for an archived permission; another organisation may use it', async () => {
  const sent = { name: 'Only once', operations: ['Keys:Read'] };
  const { id } = parts.body<{ id: string }>(await create(sent));
  expect(errorId((await create(sent)).body)).toBe('Conflict');
  parts.body(await parts.admin.client.change('PUT', `/permissions/${id}/archive`, { isArchived: true }));
  expect((await create(sent)).status).toBe(409);
  expect((await create(sent, await parts.stranger())).status).toBe(200);
});

test('409: one name is requested many times at once, and exactly one request succeeds', async () => {
  const sent = { name: 'Raced for', operations: ['Keys:Read'] };
  const answers = await Promise.all(Array.from({ length: 12 }, () => create(sent)));
  expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array.from({ length: 11 }, () => 409)]);
});

test.each(['ManagedFullAdminAccess', 'ManagedDefaultEndUserAccess', 'SvcDefaultEndUserAccess'])(
  '409: %s is a reserved name, because the service itself assigns the permission of this name',
  async (name) => {
    expect(errorId((await create({ name, operations: ['Keys:Export'] })).body)).toBe('Conflict');
    const permissionId = await parts.permission();
    const renamed = await parts.admin.client.change('PUT', `/permissions/${permissionId}`, { name });
    expect([renamed.status, errorId(renamed.body)]).toEqual([409, 'Conflict']);
  },
);
