import { newId } from '../../../../platform/ids';
import { type BacktestApi, startBacktestApi } from '../../../support/backtest-api';

let parts: BacktestApi;
let id: string;
beforeAll(async () => {
  parts = await startBacktestApi();
  await parts.transfers([5, 10, 11]);
  id = await parts.id(parts.proposal());
});
afterAll(() => parts?.close());

const get = (backtestId = id, by = parts.admin) => by.client.get(`/v2/policies/backtests/${backtestId}`);

test('200: the backtest is Running until its replay ends, and then shows the effect of the policy', async () => {
  expect(await get()).toMatchObject({ status: 200, body: { id, status: 'Running' } });
  await parts.play(id);
  expect((await get()).body).toMatchObject({
    status: 'Done',
    counts: { judged: 3, passed: 2, triggered: 0, asked: 0, blocked: 1, notKnown: 0 },
    dateDone: expect.any(String),
  });
});

test('400: an unknown query parameter', async () => {
  expect((await parts.admin.client.get(`/v2/policies/backtests/${id}?full=true`)).status).toBe(400);
});

test('403: without Policies:Evaluations:Read', async () => {
  const without = await parts.api.createPerson(parts.orgId, { operations: ['Policies:Read'] });
  expect((await get(id, without)).status).toBe(403);
});

test('404: a backtest that is unknown or belongs to another organisation', async () => {
  expect((await get(newId('backtest'))).status).toBe(404);
  expect((await get(id, await parts.stranger())).status).toBe(404);
});
