import { newId } from '../../../platform/ids';
import { type PermissionApi, startPermissionApi } from '../../support/permission-api';
import { firstIssue } from '../../support/policy-api';

let parts: PermissionApi;
let permissionId: string;
beforeAll(async () => {
  parts = await startPermissionApi();
  permissionId = await parts.permission();
});
afterAll(() => parts?.close());

type Page = { readonly items: readonly { readonly id: string; readonly identityId: string }[]; readonly nextPageToken?: string };
const list = async (query = '') =>
  parts.body<Page>(await parts.admin.client.get(`/permissions/${permissionId}/assignments${query}`));

test('200: the holders of the permission, newest first, page by page, with a waiting removal', async () => {
  expect(await list()).toEqual({ items: [] });
  const people = [await parts.api.createPerson(parts.orgId), await parts.api.createPerson(parts.orgId)];
  for (const { userId } of people) parts.body(await parts.assign(permissionId, userId));
  const first = await list('?limit=1');
  expect(first.items[0]?.identityId).toBe(people[1]?.userId);
  const second = await list(`?limit=1&paginationToken=${first.nextPageToken}`);
  expect(second.items.map(({ identityId }) => identityId)).toEqual([people[0]?.userId]);
  expect(second.nextPageToken).toBeUndefined();

  const policyId = await parts.hold('Permissions:Assign', { filters: { permissionId: { in: [permissionId] } } });
  const assignmentId = second.items[0]?.id;
  const path = `/permissions/${permissionId}/assignments/${assignmentId}`;
  const change = parts.body(await parts.admin.client.change('DELETE', path), 202);
  expect(change).toMatchObject({ kind: 'Assignment', operationKind: 'Delete', entityId: assignmentId });
  expect((await list()).items.filter((item) => 'pendingChangeRequest' in item)).toEqual([
    expect.objectContaining({ id: assignmentId, pendingChangeRequest: change }),
  ]);
  await parts.drop(policyId);
});

test('400: the limit is not valid', async () => {
  const { status, body } = await parts.admin.client.get(`/permissions/${permissionId}/assignments?limit=501`);
  expect([status, firstIssue(body)]).toEqual([400, 'query.limit']);
});

test('403: without Permissions:Assignments:Read', async () => {
  const other = await parts.api.createPerson(parts.orgId, { operations: ['Permissions:Read'] });
  expect((await other.client.get(`/permissions/${permissionId}/assignments`)).status).toBe(403);
});

test('404: a permission that is unknown or belongs to another organisation', async () => {
  expect((await parts.admin.client.get(`/permissions/${newId('permission')}/assignments`)).status).toBe(404);
  expect((await (await parts.stranger()).client.get(`/permissions/${permissionId}/assignments`)).status).toBe(404);
});
