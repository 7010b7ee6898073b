import { newId } from '../../../../platform/ids';
import type { Waiting } from '../../../support/permission-api';
import { errorId } from '../../../support/policy-api';
import { type RegistryApi, startRegistryApi } from '../../../support/registry-api';

let parts: RegistryApi;
beforeAll(async () => {
  parts = await startRegistryApi();
});
afterAll(() => parts?.close());

const remove = (id: string, by = parts.admin) => by.client.change('DELETE', `/registry/addresses/${id}`);

test('200: a deleted entry stays as a record, the policy epoch rises, and a second deletion changes nothing', async () => {
  const { id } = await parts.enter();
  const epoch = await parts.epoch();
  const first = await remove(id);
  expect(first).toMatchObject({ status: 200, body: { id, status: 'Deleted' } });
  expect((await remove(id)).body).toEqual(first.body);
  expect(await parts.epoch()).toBe(epoch + 1);
});

test('202: if a policy requires approval, the entry stays active until people decide, and a denial keeps it active', async () => {
  const { id } = await parts.enter();
  const policyId = await parts.hold('Registry:Addresses:Modify');
  const change = parts.body<Waiting>(await remove(id), 202);
  expect(change).toMatchObject({ kind: 'Alias', operationKind: 'Delete', body: { status: 'Deleted' } });
  expect(await parts.entry(id)).toMatchObject({ status: 'Active' });
  await parts.decide(change.approvalId, 'Denied');
  expect(await parts.review(change.id)).toEqual({ outcome: 'Ended', status: 'Rejected' });
  expect(await parts.entry(id)).toMatchObject({ status: 'Active', version: 1 });
  await parts.drop(policyId);
});

test('400: a body that is not empty', async () => {
  const { id } = await parts.enter();
  expect((await parts.admin.client.change('DELETE', `/registry/addresses/${id}`, { force: true })).status).toBe(400);
});

test('403: without Registry:Addresses:Delete, and when a policy blocks the request', async () => {
  const { id } = await parts.enter();
  const changing = await parts.api.createPerson(parts.orgId, { operations: ['Registry:Addresses:Update'] });
  expect((await remove(id, changing)).status).toBe(403);
  const policyId = await parts.hold('Registry:Addresses:Modify', { action: { kind: 'Block' } });
  expect(errorId((await remove(id)).body)).toBe('PolicyBlocked');
  expect(await parts.entry(id)).toMatchObject({ status: 'Active' });
  await parts.drop(policyId);
});

test('404: an entry that is unknown or belongs to another organisation', async () => {
  const { id } = await parts.enter();
  expect((await remove(newId('registryAddress'))).status).toBe(404);
  expect((await remove(id, await parts.stranger())).status).toBe(404);
});

test('409: another change of the entry waits for approval', async () => {
  const { id, address } = await parts.enter();
  const policyId = await parts.hold('Registry:Addresses:Modify');
  parts.body(await parts.admin.client.change('PUT', `/registry/addresses/${id}`, { name: 'After', address }), 202);
  expect(errorId((await remove(id)).body)).toBe('ChangePending');
  await parts.drop(policyId);
});
