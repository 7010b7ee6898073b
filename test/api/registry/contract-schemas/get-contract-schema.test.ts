import { newId } from '../../../../platform/ids';
import { ABI, type RegistryApi, startRegistryApi } from '../../../support/registry-api';

let parts: RegistryApi;
let id: string;
beforeAll(async () => {
  parts = await startRegistryApi();
  const schema = { name: 'Token', network: 'Ethereum', contract: parts.freshAddress(), abi: ABI };
  ({ id } = parts.body<{ id: string }>(await parts.admin.client.change('POST', '/registry/contract-schemas', schema)));
});
afterAll(() => parts?.close());

const get = (schemaId = id, by = parts.admin) => by.client.get(`/registry/contract-schemas/${schemaId}`);

test('200: the answer is the complete schema', async () => {
  expect(await get()).toMatchObject({ status: 200, body: { id, name: 'Token', network: 'Ethereum', abi: ABI } });
});

test('400: an unknown query parameter', async () => {
  expect((await parts.admin.client.get(`/registry/contract-schemas/${id}?abi=false`)).status).toBe(400);
});

test('403: without Registry:ContractSchemas:Read', async () => {
  const without = await parts.api.createPerson(parts.orgId, { operations: ['Registry:Addresses:Read'] });
  expect((await get(id, without)).status).toBe(403);
});

test('404: a schema that is unknown or belongs to another organisation', async () => {
  expect((await get(newId('contractSchema'))).status).toBe(404);
  expect((await get(id, await parts.stranger())).status).toBe(404);
});
