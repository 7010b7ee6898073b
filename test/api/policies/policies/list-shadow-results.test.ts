import { newId } from '../../../../platform/ids';
import { type BacktestApi, startBacktestApi } from '../../../support/backtest-api';
import { firstIssue } from '../../../support/policy-api';

type Page = {
  readonly items: readonly { readonly activityId: string; readonly triggered: boolean }[];
  readonly nextPageToken?: string;
};

let parts: BacktestApi;
let policyId: string;
let activityIds: readonly string[];
beforeAll(async () => {
  parts = await startBacktestApi();
  const { policy } = parts.proposal();
  const made = await parts.admin.client.change('POST', '/v2/policies', { ...policy, mode: 'Shadow' });
  policyId = parts.body<{ id: string }>(made).id;
  activityIds = await parts.transfers([10, 11, 12]);
});
afterAll(() => parts?.close());

const list = (query = '', id = policyId, by = parts.admin) => by.client.get(`/v2/policies/${id}/shadow-results${query}`);
const found = async (query: string) => parts.body<Page>(await list(query)).items.map(({ activityId }) => activityId);

test('200: the list has a result for each activity, newest first and page by page, even though every activity was cleared', async () => {
  const [first, second, third] = activityIds;
  expect(await list()).toMatchObject({
    status: 200,
    body: {
      items: [
        { activityId: third, outcome: 'Cleared', triggered: true, policyVersion: 1 },
        { activityId: second, outcome: 'Cleared', triggered: true },
        { activityId: first, outcome: 'Cleared', triggered: false, activityKind: 'Wallets:Sign' },
      ],
    },
  });
  expect([await found('?triggered=true'), await found('?triggered=false')]).toEqual([[third, second], [first]]);
  const page = parts.body<Page>(await list('?limit=2'));
  expect(await found(`?limit=2&paginationToken=${page.nextPageToken}`)).toEqual([first]);
});

test('200: an enforced policy has no shadow results', async () => {
  const { policy } = parts.proposal();
  const { id } = parts.body<{ id: string }>(await parts.admin.client.change('POST', '/v2/policies', policy));
  expect(parts.body<Page>(await list('', id)).items).toEqual([]);
  await parts.drop(id);
});

test.each([
  ['?triggered=yes', 'query.triggered'],
  ['?limit=501', 'query.limit'],
])('400: for %s, the error contains the path', async (query, path) => {
  const { status, body } = await list(query);
  expect([status, firstIssue(body)]).toEqual([400, path]);
});

test('403: without Policies:Evaluations:Read', async () => {
  const without = await parts.api.createPerson(parts.orgId, { operations: ['Policies:Read'] });
  expect((await list('', policyId, without)).status).toBe(403);
});

test('404: a policy that is unknown or belongs to another organisation', async () => {
  expect((await list('', newId('policy'))).status).toBe(404);
  expect((await list('', policyId, await parts.stranger())).status).toBe(404);
});
