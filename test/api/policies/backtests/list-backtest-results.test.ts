import { newId } from '../../../../platform/ids';
import { type BacktestApi, startBacktestApi } from '../../../support/backtest-api';
import { firstIssue } from '../../../support/policy-api';

type Page = { readonly items: readonly { readonly activityId: string }[]; readonly nextPageToken?: string };

let parts: BacktestApi;
let id: string;
let activityIds: readonly string[];
beforeAll(async () => {
  parts = await startBacktestApi();
  activityIds = await parts.transfers([11, 5, 12]);
  id = await parts.id(parts.proposal());
  await parts.play(id);
});
afterAll(() => parts?.close());

const list = (query = '', backtestId = id, by = parts.admin) =>
  by.client.get(`/v2/policies/backtests/${backtestId}/results${query}`);

test('200: activities that the policy would have stopped, oldest first and by page, with their recorded outcome', async () => {
  const [first, , third] = activityIds;
  expect(await list()).toMatchObject({
    status: 200,
    body: {
      items: [
        { activityId: first, outcome: 'Blocked', recordedOutcome: 'Cleared', reason: expect.any(String) },
        { activityId: third, outcome: 'Blocked', recordedOutcome: 'Cleared' },
      ],
    },
  });
  const page = parts.body<Page>(await list('?limit=1'));
  expect(page.items.map(({ activityId }) => activityId)).toEqual([first]);
  const rest = parts.body<Page>(await list(`?limit=1&paginationToken=${page.nextPageToken}`));
  expect([rest.items.map(({ activityId }) => activityId), rest.nextPageToken]).toEqual([[third], undefined]);
});

test.each([
  ['?limit=0', 'query.limit'],
  ['?paginationToken=xx', 'query.paginationToken'],
])('400: for %s, the error contains the path', async (query, path) => {
  const { status, body } = await list(query);
  expect([status, firstIssue(body)]).toEqual([400, path]);
});

test('403: without Policies:Evaluations:Read', async () => {
  const without = await parts.api.createPerson(parts.orgId, { operations: ['Policies:Read'] });
  expect((await list('', id, without)).status).toBe(403);
});

test('404: a backtest that is unknown or belongs to another organisation', async () => {
  expect((await list('', newId('backtest'))).status).toBe(404);
  expect((await list('', id, await parts.stranger())).status).toBe(404);
});
