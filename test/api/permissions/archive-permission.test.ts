import { newId } from '../../../platform/ids';
import { type PermissionApi, startPermissionApi, type Waiting } from '../../support/permission-api';
import { errorId, firstIssue } from '../../support/policy-api';

let parts: PermissionApi;
let permissionId: string;
beforeAll(async () => {
  parts = await startPermissionApi();
});
afterAll(() => parts?.close());
beforeEach(async () => {
  permissionId = await parts.permission(['Permissions:Read']);
});

const archive = (isArchived: unknown, id = permissionId, by = parts.admin) =>
  by.client.change('PUT', `/permissions/${id}/archive`, { isArchived });

test('200: an archived permission grants nothing from the next request on, until it is restored', async () => {
  const person = await parts.api.createPerson(parts.orgId, { operations: [] });
  await parts.assign(permissionId, person.userId);
  expect((await person.client.get('/permissions')).status).toBe(200);
  expect(await archive(true)).toMatchObject({ status: 200, body: { isArchived: true, status: 'Active' } });
  expect((await person.client.get('/permissions')).status).toBe(403);
  expect(await archive(true)).toMatchObject({ status: 200, body: { isArchived: true } });
  expect(await archive(false)).toMatchObject({ status: 200, body: { isArchived: false } });
  expect((await person.client.get('/permissions')).status).toBe(200);
});

test('202: if a policy requires approval, the change waits with its new state, and the approval applies the change', async () => {
  const policyId = await parts.hold('Permissions:Modify', { filters: { permissionId: { in: [permissionId] } } });
  const change = parts.body<Waiting>(await archive(true), 202);
  expect(change).toMatchObject({ kind: 'Permission', operationKind: 'Update', body: { isArchived: true } });
  expect((await parts.admin.client.get(`/permissions/${permissionId}`)).body).toMatchObject({ isArchived: false });
  await parts.decide(change.approvalId, 'Approved');
  expect(await parts.review(change.id)).toEqual({ outcome: 'Ended', status: 'Applied' });
  expect((await parts.admin.client.get(`/permissions/${permissionId}`)).body).toMatchObject({ isArchived: true });
  await parts.drop(policyId);
});

test.each([[undefined], ['yes'], [1]])('400: isArchived is neither true nor false: %j', async (value) => {
  const { status, body } = await archive(value);
  expect([status, firstIssue(body)]).toEqual([400, 'body.isArchived']);
});

test('403: without Permissions:Archive or its earlier name Permissions:Delete', async () => {
  const without = await parts.api.createPerson(parts.orgId, { operations: ['Permissions:Update'] });
  const refused = await archive(true, permissionId, without);
  expect(refused.status).toBe(403);
  expect(refused.body).toMatchObject({ error: { message: expect.stringContaining('(Permissions:Archive)') } });
  for (const name of ['Permissions:Archive', 'Permissions:Delete']) {
    const other = await parts.api.createPerson(parts.orgId, { operations: [name] });
    expect((await archive(true, await parts.permission(), other)).status).toBe(200);
  }
});

test('403: a policy blocks the change, and the permission stays in force', async () => {
  const policyId = await parts.hold('Permissions:Modify', {
    filters: { permissionId: { in: [permissionId] } },
    action: { kind: 'Block' },
  });
  expect(errorId((await archive(true)).body)).toBe('PolicyBlocked');
  expect((await parts.admin.client.get(`/permissions/${permissionId}`)).body).toMatchObject({ isArchived: false });
  await parts.drop(policyId);
});

test('404: a permission that is unknown or belongs to another organisation', async () => {
  expect((await archive(true, newId('permission'))).status).toBe(404);
  expect((await archive(true, permissionId, await parts.stranger())).status).toBe(404);
});

test('409: the permission is the one for full access', async () => {
  const { items } = parts.body<{ items: { id: string; isImmutable: boolean }[] }>(
    await parts.admin.client.get('/permissions?limit=500'),
  );
  expect(errorId((await archive(true, items.find(({ isImmutable }) => isImmutable)?.id)).body)).toBe('WrongState');
});
