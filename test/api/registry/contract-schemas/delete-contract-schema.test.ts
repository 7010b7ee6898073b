import { newId } from '../../../../platform/ids';
import type { Waiting } from '../../../support/permission-api';
import { errorId } from '../../../support/policy-api';
import { ABI, type RegistryApi, startRegistryApi } from '../../../support/registry-api';

let parts: RegistryApi;
let id: string;
beforeAll(async () => {
  parts = await startRegistryApi();
});
afterAll(() => parts?.close());
beforeEach(async () => {
  const schema = { name: 'Token', network: 'Ethereum', contract: parts.freshAddress(), abi: ABI };
  ({ id } = parts.body<{ id: string }>(await parts.admin.client.change('POST', '/registry/contract-schemas', schema)));
});

const remove = (schemaId = id, by = parts.admin) => by.client.change('DELETE', `/registry/contract-schemas/${schemaId}`);

test('200: a deleted schema stays as a record, and a second deletion changes nothing', async () => {
  const first = await remove();
  expect(first).toMatchObject({ status: 200, body: { id, status: 'Deleted' } });
  expect((await remove()).body).toEqual(first.body);
});

test('202: if a policy requires approval, the schema stays until people approve', async () => {
  const policyId = await parts.hold('Registry:ContractSchemas:Modify');
  const change = parts.body<Waiting>(await remove(), 202);
  expect(change).toMatchObject({ kind: 'SmartContract', operationKind: 'Delete' });
  const get = () => parts.admin.client.get(`/registry/contract-schemas/${id}`);
  expect((await get()).body).toMatchObject({ status: 'Active', pendingChangeRequest: { id: change.id } });
  await parts.decide(change.approvalId, 'Approved');
  expect(await parts.review(change.id)).toEqual({ outcome: 'Ended', status: 'Applied' });
  expect((await get()).body).toMatchObject({ status: 'Deleted' });
  await parts.drop(policyId);
});

test('400: a body that is not empty', async () => {
  expect((await parts.admin.client.change('DELETE', `/registry/contract-schemas/${id}`, { force: true })).status).toBe(400);
});

test('403: without Registry:ContractSchemas:Delete', async () => {
  const without = await parts.api.createPerson(parts.orgId, { operations: ['Registry:Addresses:Delete'] });
  expect((await remove(id, without)).status).toBe(403);
});

test('404: a schema that is unknown or belongs to another organisation', async () => {
  expect((await remove(newId('contractSchema'))).status).toBe(404);
  expect((await remove(id, await parts.stranger())).status).toBe(404);
});

test('409: a change of the schema waits for approval', async () => {
  const policyId = await parts.hold('Registry:ContractSchemas:Modify');
  parts.body(await remove(), 202);
  expect(errorId((await remove()).body)).toBe('ChangePending');
  await parts.drop(policyId);
});
