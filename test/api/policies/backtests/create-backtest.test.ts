import { type BacktestApi, startBacktestApi } from '../../../support/backtest-api';
import { errorId, firstIssue, policyBody } from '../../../support/policy-api';

let parts: BacktestApi;
beforeAll(async () => {
  parts = await startBacktestApi();
});
afterAll(() => parts?.close());

const AT = Date.parse('2026-01-01T00:00:00Z');
const days = (count: number, ms = 0) => new Date(AT + count * 86_400_000 + ms).toISOString();
const backtests = async () => (await parts.db.read(parts.orgId).select('SELECT id FROM backtests')).length;

test('200: the backtest runs, the outbox starts its workflow, and of two requests at once one is refused', async () => {
  const both = await Promise.all([parts.create(parts.proposal()), parts.create(parts.proposal({ walletId: parts.walletId }))]);
  expect(both.map(({ status }) => status).sort()).toEqual([200, 409]);
  const made = parts.body<{ id: string }>(both.find(({ status }) => status === 200) ?? both[0]);
  expect(made).toMatchObject({
    id: expect.stringMatching(/^btr-/),
    status: 'Running',
    policyName: 'Ask before anything leaves',
    counts: { judged: 0, passed: 0, triggered: 0, asked: 0, blocked: 0, notKnown: 0 },
  });
  const starts = await parts.db
    .read(parts.orgId)
    .select(`SELECT routing ->> 'workflow' AS workflow FROM outbox WHERE aggregate_id = $1`, [made.id]);
  expect(starts).toEqual([{ workflow: 'backtest' }]);
  await parts.play(made.id);
});

test('200: the period is exactly 366 days', async () => {
  const { status, body } = await parts.create(parts.proposal({ from: days(0), to: days(366) }));
  expect(status).toBe(200);
  await parts.play((body as { id: string }).id);
});

test.each<[string, (parts: BacktestApi) => Record<string, unknown>, string]>([
  ['a period that ends at its start', () => ({ from: days(0), to: days(0) }), 'body.to'],
  ['a period that ends before it begins', () => ({ from: days(1), to: days(0) }), 'body.to'],
  ['a period of 366 days and a millisecond', () => ({ from: days(0), to: days(366, 1) }), 'body.to'],
  ['an invalid date', () => ({ from: 'yesterday' }), 'body.from'],
  ['an unknown wallet', () => ({ walletId: 'wa-1' }), 'body.walletId'],
  [
    'a policy that createPolicy would refuse',
    () => ({
      policy: policyBody({
        action: {
          kind: 'RequestApproval',
          approvalGroups: [{ quorum: 1, approvers: { userId: { in: ['us-1'] } } }],
        },
      }),
    }),
    'body.policy.action.approvalGroups.0.approvers.userId.in.0',
  ],
])('400: for %s, the error contains the path, and nothing is stored', async (_title, set, path) => {
  const before = await backtests();
  const { status, body } = await parts.create(parts.proposal(set(parts)));
  expect([status, firstIssue(body), await backtests()]).toEqual([400, path, before]);
});

test('403: without Policies:Evaluations:Read', async () => {
  const without = await parts.api.createPerson(parts.orgId, { operations: ['Policies:Read'] });
  expect((await parts.create(parts.proposal(), without)).status).toBe(403);
});

test('409: another backtest is running; after it has ended, the next can run', async () => {
  const id = await parts.id(parts.proposal());
  expect(errorId((await parts.create(parts.proposal())).body)).toBe('Conflict');
  await parts.play(id);
  await parts.play(await parts.id(parts.proposal()));
});
