import { firstIssue } from '../../../support/policy-api';
import { ABI, type RegistryApi, startRegistryApi } from '../../../support/registry-api';

type Page = { readonly items: readonly { readonly id: string; readonly name: string }[]; readonly nextPageToken?: string };

let parts: RegistryApi;
beforeAll(async () => {
  parts = await startRegistryApi();
});
afterAll(() => parts?.close());

const list = async (query = '', by = parts.admin) => parts.body<Page>(await by.client.get(`/registry/contract-schemas${query}`));
const names = async (query = '') => (await list(query)).items.map(({ name }) => name);

test('200: schemas page by page, newest first, filtered by network and status; no schema of another organisation', async () => {
  const ids: string[] = [];
  for (const [name, network] of [
    ['first', 'Ethereum'],
    ['second', 'EthereumSepolia'],
  ]) {
    const schema = { name, network, contract: parts.freshAddress(), abi: ABI };
    ids.push(parts.body<{ id: string }>(await parts.admin.client.change('POST', '/registry/contract-schemas', schema)).id);
  }
  expect(await names()).toEqual(['second', 'first']);
  expect(await names('?network=Ethereum')).toEqual(['first']);
  const page = await list('?limit=1');
  expect((await list(`?limit=1&paginationToken=${page.nextPageToken}`)).items.map(({ name }) => name)).toEqual(['first']);
  parts.body(await parts.admin.client.change('DELETE', `/registry/contract-schemas/${ids[0]}`));
  expect(await names()).toEqual(['second']);
  expect(await names('?status=Deleted')).toEqual(['first']);
  expect((await list('', await parts.stranger())).items).toEqual([]);
});

test.each([
  ['?limit=501', 'query.limit'],
  ['?paginationToken=xx', 'query.paginationToken'],
  ['?network=Algorand', 'query.network'],
])('400: for %s, the error contains the path', async (query, path) => {
  const { status, body } = await parts.admin.client.get(`/registry/contract-schemas${query}`);
  expect([status, firstIssue(body)]).toEqual([400, path]);
});

test('403: without Registry:ContractSchemas:Read', async () => {
  const without = await parts.api.createPerson(parts.orgId, { operations: ['Registry:Addresses:Read'] });
  expect((await without.client.get('/registry/contract-schemas')).status).toBe(403);
});
