import { firstIssue, type PolicyApi, policyBody, startPolicyApi } from '../../../support/policy-api';

type Page = { items: { id: string; status: string }[]; nextPageToken?: string };

let parts: PolicyApi;
const made: string[] = [];
beforeAll(async () => {
  parts = await startPolicyApi();
  const { body } = await parts.admin.client.get('/v2/policies');
  made.push(...(body as Page).items.map(({ id }) => id));
  for (const name of ['one', 'two', 'three']) {
    const created = await parts.admin.client.change('POST', '/v2/policies', policyBody({ name }));
    made.push((created.body as { id: string }).id);
  }
  await parts.admin.client.change('DELETE', `/v2/policies/${made[2]}`);
});
afterAll(() => parts?.close());

const list = async (query: string, by = parts.admin) => (await by.client.get(`/v2/policies${query}`)).body as Page;

test('200: every policy appears on exactly one page, newest first', async () => {
  const first = await list('?limit=3');
  expect(first.items.map(({ id }) => id)).toEqual([made[3], made[2], made[1]]);
  const second = await list(`?limit=3&paginationToken=${first.nextPageToken}`);
  expect(second.items.map(({ id }) => id)).toEqual([made[0]]);
  expect(second).not.toHaveProperty('nextPageToken');
});

test('200: the status filters the list', async () => {
  expect((await list('?status=Archived')).items).toMatchObject([{ id: made[2], status: 'Archived' }]);
  expect((await list('?status=Active')).items).toHaveLength(3);
});

test('200: the list contains no policy of another organisation', async () => {
  expect(await list('', await parts.stranger())).toEqual({ items: [] });
});

test.each([
  ['status=Gone', 'query.status'],
  ['limit=501', 'query.limit'],
  ['paginationToken=zzz', 'query.paginationToken'],
])('400: for %s, the error contains the name of the member', async (query, path) => {
  const { status, body } = await parts.admin.client.get(`/v2/policies?${query}`);
  expect(status).toBe(400);
  expect(firstIssue(body)).toBe(path);
});

test('403: without Policies:Read', async () => {
  const other = await parts.api.createPerson(parts.orgId, { operations: ['Policies:Create'] });
  expect((await other.client.get('/v2/policies')).status).toBe(403);
});
