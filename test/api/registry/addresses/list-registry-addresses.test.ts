import { firstIssue } from '../../../support/policy-api';
import { type Entry, type RegistryApi, startRegistryApi } from '../../../support/registry-api';

type Page = { readonly items: readonly Entry[]; readonly nextPageToken?: string };

let parts: RegistryApi;
beforeAll(async () => {
  parts = await startRegistryApi();
});
afterAll(() => parts?.close());

const list = async (query = '', by = parts.admin) => parts.body<Page>(await by.client.get(`/registry/addresses${query}`));
const names = async (query: string) => (await list(query)).items.map(({ name }) => name);

test('200: entries page by page, newest first, filtered by network, address and status', async () => {
  const address = `0x${'cd'.repeat(20)}`;
  await parts.enter({ name: 'first', address });
  await parts.enter({ name: 'second', network: 'Ethereum', address });
  const { id } = await parts.enter({ name: 'third' });
  expect(await names('')).toEqual(['third', 'second', 'first']);
  expect(await names('?network=Ethereum')).toEqual(['second']);
  expect(await names(`?address=${address}`)).toEqual(['second', 'first']);
  expect(await names(`?address=0x${'CD'.repeat(20)}&network=EthereumSepolia`)).toEqual(['first']);
  parts.body(await parts.admin.client.change('DELETE', `/registry/addresses/${id}`));
  expect(await names('')).toEqual(['second', 'first']);
  expect(await names('?status=Deleted')).toEqual(['third']);
  const page = await list('?limit=1');
  expect(page.items.map(({ name }) => name)).toEqual(['second']);
  const rest = await list(`?limit=1&paginationToken=${page.nextPageToken}`);
  expect([rest.items.map(({ name }) => name), rest.nextPageToken]).toEqual([['first'], undefined]);
});

test('200: the list contains no entry of another organisation', async () => {
  await parts.enter();
  expect((await list('', await parts.stranger())).items).toEqual([]);
});

test.each([
  ['?limit=0', 'query.limit'],
  ['?limit=501', 'query.limit'],
  ['?paginationToken=xx', 'query.paginationToken'],
  ['?network=Algorand', 'query.network'],
  ['?status=Archived', 'query.status'],
  ['?address=nobody', 'query.address'],
])('400: for %s, the error contains the path', async (query, path) => {
  const { status, body } = await parts.admin.client.get(`/registry/addresses${query}`);
  expect([status, firstIssue(body)]).toEqual([400, path]);
});

test('403: without Registry:Addresses:Read', async () => {
  const without = await parts.api.createPerson(parts.orgId, { operations: ['Wallets:Read'] });
  expect((await without.client.get('/registry/addresses')).status).toBe(403);
});
