import { newId } from '../../../../platform/ids';
import { type BacktestApi, startBacktestApi } from '../../../support/backtest-api';

let parts: BacktestApi;
let id: string;
let activityIds: readonly string[];
beforeAll(async () => {
  parts = await startBacktestApi();
  activityIds = await parts.transfers([11, 5]);
  id = await parts.id(parts.proposal());
  await parts.play(id);
});
afterAll(() => parts?.close());

const path = (backtestId = id) => `/v2/policies/backtests/${backtestId}/results.csv`;

test('200: the answer is the whole result as CSV, or as one JSON string if the caller requests JSON', async () => {
  const headers = { authorization: `Bearer ${parts.admin.token}`, accept: 'text/csv' };
  const response = await fetch(`${parts.api.url}${path()}`, { headers });
  expect([response.status, response.headers.get('content-type')]).toEqual([200, expect.stringContaining('text/csv')]);
  const lines = (await response.text()).trim().split('\n');
  expect(lines).toEqual([
    'date,activityId,outcome,recordedOutcome,reason',
    expect.stringMatching(new RegExp(`^\\d{4}-.*Z,${activityIds[0]},Blocked,Cleared,`)),
  ]);
  const asJson = await parts.admin.client.send({ method: 'GET', path: path(), headers: { accept: 'application/json' } });
  expect(asJson.body).toBe(`${lines.join('\n')}\n`);
});

test('400: an unknown query parameter', async () => {
  expect((await parts.admin.client.get(`${path()}?limit=1`)).status).toBe(400);
});

test('403: without Policies:Evaluations:Read', async () => {
  const without = await parts.api.createPerson(parts.orgId, { operations: ['Policies:Read'] });
  expect((await without.client.get(path())).status).toBe(403);
});

test('404: a backtest that is unknown or belongs to another organisation', async () => {
  expect((await parts.admin.client.get(path(newId('backtest')))).status).toBe(404);
  expect((await (await parts.stranger()).client.get(path())).status).toBe(404);
});
