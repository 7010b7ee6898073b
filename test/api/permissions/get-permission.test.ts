import { newId } from '../../../platform/ids';
import { type PermissionApi, startPermissionApi } from '../../support/permission-api';

let parts: PermissionApi;
beforeAll(async () => {
  parts = await startPermissionApi();
});
afterAll(() => parts?.close());

test('200: the answer is the permission as it was created', async () => {
  const made = parts.body<{ id: string }>(
    await parts.admin.client.change('POST', '/permissions', { name: 'Readers', operations: ['Wallets:Read'] }),
  );
  expect(await parts.admin.client.get(`/permissions/${made.id}`)).toMatchObject({ status: 200, body: made });
});

test('200: a permission that was stored with earlier names is shown with the latest names', async () => {
  const person = await parts.api.createPerson(parts.orgId, { operations: ['Permissions:Archive', 'Permissions:Read'] });
  const { body } = await person.client.get('/permissions');
  expect(body).toMatchObject({
    items: expect.arrayContaining([expect.objectContaining({ operations: ['Permissions:Delete', 'Permissions:Read'] })]),
  });
});

test('403: without Permissions:Read', async () => {
  const other = await parts.api.createPerson(parts.orgId, { operations: ['Permissions:Update'] });
  expect((await other.client.get(`/permissions/${await parts.permission()}`)).status).toBe(403);
});

test('404: a permission that is unknown or belongs to another organisation', async () => {
  const permissionId = await parts.permission();
  for (const path of [newId('permission'), 'pm-nothing', newId('wallet')])
    expect((await parts.admin.client.get(`/permissions/${path}`)).status).toBe(404);
  expect((await (await parts.stranger()).client.get(`/permissions/${permissionId}`)).status).toBe(404);
});
