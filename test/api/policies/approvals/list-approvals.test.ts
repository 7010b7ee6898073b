import { firstIssue, type PolicyApi, startPolicyApi } from '../../../support/policy-api';

type Page = { items: { id: string; status: string; decisions: unknown[] }[]; nextPageToken?: string };

let parts: PolicyApi;
const made: string[] = [];
beforeAll(async () => {
  parts = await startPolicyApi();
  made.push(await parts.hold(), await parts.hold(), await parts.hold(parts.approver));
  await parts.approver.client.change('POST', `/v2/policy-approvals/${made[0]}/decisions`, { value: 'Denied', reason: 'no' });
});
afterAll(() => parts?.close());

const list = async (query: string, by = parts.admin) => (await by.client.get(`/v2/policy-approvals${query}`)).body as Page;
const ids = async (query: string) => (await list(query)).items.map(({ id }) => id);

test('200: every approval appears on exactly one page, newest first, with its own decisions', async () => {
  const first = await list('?limit=2');
  expect(first.items.map(({ id }) => id)).toEqual([made[2], made[1]]);
  const second = await list(`?limit=2&paginationToken=${first.nextPageToken}`);
  expect(second).toMatchObject({ items: [{ id: made[0], status: 'Denied', decisions: [{ reason: 'no' }] }] });
  expect(second).not.toHaveProperty('nextPageToken');
  expect(first.items.map(({ decisions }) => decisions)).toEqual([[], []]);
});

test('200: status, initiator and approver filter the list, separately and together', async () => {
  const { admin, approver } = parts;
  expect(await ids('?status=Pending')).toEqual([made[2], made[1]]);
  expect(await ids('?status=Denied')).toEqual([made[0]]);
  expect(await ids(`?initiatorId=${approver.userId}`)).toEqual([made[2]]);
  expect(await ids(`?approverId=${approver.userId}&initiatorId=${admin.userId}&status=Pending`)).toEqual([made[1]]);
  expect(await ids(`?approverId=${(await parts.api.createPerson(parts.orgId)).userId}`)).toEqual([]);
});

test('200: the list contains no approval of another organisation', async () => {
  expect(await list('', await parts.stranger())).toEqual({ items: [] });
});

test.each([
  ['status=AutoApproved', 'query.status'],
  ['initiatorId=', 'query.initiatorId'],
  [`approverId=${'x'.repeat(65)}`, 'query.approverId'],
  ['limit=0', 'query.limit'],
  ['paginationToken=e30', 'query.paginationToken'],
])('400: for %s, the error contains the name of the member', async (query, path) => {
  const { status, body } = await parts.admin.client.get(`/v2/policy-approvals?${query}`);
  expect(status).toBe(400);
  expect(firstIssue(body)).toBe(path);
});

test('403: without Policies:Approvals:Read', async () => {
  const other = await parts.api.createPerson(parts.orgId, { operations: ['Policies:Read'] });
  expect((await other.client.get('/v2/policy-approvals')).status).toBe(403);
});
