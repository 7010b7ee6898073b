import { newId } from '../../../../platform/ids';
import type { Waiting } from '../../../support/permission-api';
import { type RegistryApi, startRegistryApi } from '../../../support/registry-api';

let parts: RegistryApi;
beforeAll(async () => {
  parts = await startRegistryApi();
});
afterAll(() => parts?.close());

const get = (id: string, by = parts.admin) => by.client.get(`/registry/addresses/${id}`);

test('200: an entry is shown with its waiting change, and a deleted entry is shown as a record', async () => {
  const entry = await parts.enter({ name: 'Payroll' });
  expect(await get(entry.id)).toEqual(expect.objectContaining({ status: 200, body: entry }));
  const policyId = await parts.hold('Registry:Addresses:Modify');
  const change = parts.body<Waiting>(await parts.admin.client.change('DELETE', `/registry/addresses/${entry.id}`), 202);
  expect((await get(entry.id)).body).toMatchObject({
    status: 'Active',
    pendingChangeRequest: { id: change.id, kind: 'Alias', operationKind: 'Delete', body: { status: 'Deleted' } },
  });
  await parts.decide(change.approvalId, 'Approved');
  await parts.review(change.id);
  expect((await get(entry.id)).body).toMatchObject({ name: 'Payroll', status: 'Deleted' });
  await parts.drop(policyId);
});

test('400: an unknown query parameter', async () => {
  const { id } = await parts.enter();
  expect((await parts.admin.client.get(`/registry/addresses/${id}?at=now`)).status).toBe(400);
});

test('403: without Registry:Addresses:Read', async () => {
  const { id } = await parts.enter();
  const without = await parts.api.createPerson(parts.orgId, { operations: ['Registry:Addresses:Create'] });
  expect((await get(id, without)).status).toBe(403);
});

test('404: an entry that is unknown or belongs to another organisation', async () => {
  const { id } = await parts.enter();
  for (const unknown of [newId('registryAddress'), newId('wallet'), 'adr-1']) expect((await get(unknown)).status).toBe(404);
  expect((await get(id, await parts.stranger())).status).toBe(404);
});
