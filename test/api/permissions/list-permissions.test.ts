import { LATEST_NAMES } from '../../../domain/permissions';
import { type PermissionApi, startPermissionApi } from '../../support/permission-api';
import { errorId, firstIssue } from '../../support/policy-api';

let parts: PermissionApi;
beforeAll(async () => {
  parts = await startPermissionApi();
});
afterAll(() => parts?.close());

type Page = {
  readonly items: readonly { readonly id: string; readonly isImmutable: boolean }[];
  readonly nextPageToken?: string;
};
const list = async (query = '') => parts.body<Page>(await parts.admin.client.get(`/permissions${query}`));

test('200: every permission of the organisation once, newest first, page by page', async () => {
  const made = [await parts.permission(), await parts.permission(), await parts.permission()];
  const first = await list('?limit=2');
  expect(first.items.map(({ id }) => id)).toEqual([made[2], made[1]]);
  const second = await list(`?limit=500&paginationToken=${first.nextPageToken}`);
  expect(second.items[0]?.id).toBe(made[0]);
  expect(second.nextPageToken).toBeUndefined();
  expect((await (await parts.stranger()).client.get('/permissions')).body).toMatchObject({ items: [{ isImmutable: true }] });
});

test('200: full access is shown as a list of every operation with its latest name', async () => {
  const { items } = await list('?limit=500');
  expect(items.filter(({ isImmutable }) => isImmutable)).toEqual(
    expect.arrayContaining([expect.objectContaining({ operations: LATEST_NAMES, isArchived: false })]),
  );
});

test('200: a waiting change is shown with its permission', async () => {
  const permissionId = await parts.permission();
  const policyId = await parts.hold('Permissions:Modify', { filters: { permissionId: { in: [permissionId] } } });
  const change = parts.body(await parts.admin.client.change('PUT', `/permissions/${permissionId}`, { name: 'Later' }), 202);
  const shown = (await list('?limit=500')).items.filter((item) => 'pendingChangeRequest' in item);
  expect(shown).toEqual([expect.objectContaining({ id: permissionId, pendingChangeRequest: change })]);
  await parts.drop(policyId);
});

test('400: the limit or the page token is not valid', async () => {
  const limit = await parts.admin.client.get('/permissions?limit=0');
  expect([limit.status, firstIssue(limit.body)]).toEqual([400, 'query.limit']);
  const token = await parts.admin.client.get('/permissions?paginationToken=nothing');
  expect([token.status, errorId(token.body)]).toEqual([400, 'InvalidPaginationToken']);
});

test('403: without Permissions:Read', async () => {
  const other = await parts.api.createPerson(parts.orgId, { operations: ['Permissions:Create'] });
  expect((await other.client.get('/permissions')).status).toBe(403);
});
