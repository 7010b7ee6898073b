import { failBacktest } from '../../../application/backtests/replay';
import { BacktestEntity } from '../../../entities/backtests/backtest.entity';
import { BacktestResultEntity } from '../../../entities/backtests/backtest-result.entity';
import { type BacktestApi, startBacktestApi } from '../../support/backtest-api';
import { insertPolicy, insertWallet } from '../../support/held-activity';
import { BLOCK } from '../../support/policies';
import { policyBody } from '../../support/policy-api';

let parts: BacktestApi;
beforeAll(async () => {
  parts = await startBacktestApi();
});
afterAll(() => parts?.close());

const row = (id: string) => parts.db.read(parts.orgId).row(BacktestEntity, 'WHERE t.id = $1', [id]);
const lines = (id: string) =>
  parts.db.read(parts.orgId).rows(BacktestResultEntity, 'WHERE t.backtest_id = $1 ORDER BY t.id', [id]);
const velocity = (limit: number) =>
  policyBody({
    rule: { kind: 'TransactionAmountVelocity', configuration: { limit, currency: 'USD', timeframe: 60 } },
    action: { kind: 'Block' },
  });

test('a velocity rule counts the recorded transfers of the wallet, including those before the period', async () => {
  const walletId = await insertWallet(parts.db, parts.orgId);
  await parts.transfers([4, 4], walletId);
  const [{ now: from } = { now: new Date() }] = await parts.db
    .read(parts.orgId)
    .select<{ now: Date }>('SELECT clock_timestamp() AS now');
  const [third, fourth] = await parts.transfers([2, 1], walletId);
  await parts.transfers([100]);
  const whole = await parts.id(
    parts.proposal({ policy: velocity(9), walletId, from: new Date(from.getTime() + 1).toISOString() }),
  );
  await parts.play(whole);
  expect((await row(whole))?.counts).toMatchObject({ judged: 2, passed: 1, blocked: 1 });
  expect((await lines(whole)).map(({ activityId }) => activityId)).toEqual([third]);
  expect(fourth).toBeDefined();
});

test('a second replay has the same results, and a backtest that has ended does not change', async () => {
  const walletId = await insertWallet(parts.db, parts.orgId);
  await parts.transfers([11, 12], walletId);
  const id = await parts.id(parts.proposal({ walletId }));
  await parts.play(id);
  const [before, found] = [await row(id), await lines(id)];
  await parts.db.withOrg(parts.orgId, (tx) =>
    tx.query(`UPDATE backtests SET status = 'Running' WHERE org_id = $1 AND id = $2 RETURNING id`, [parts.orgId, id]),
  );
  await parts.play(id);
  expect(await lines(id)).toEqual(found);
  expect((await row(id))?.counts).toEqual(before?.counts);
  await failBacktest(parts.db, { orgId: parts.orgId, backtestId: id }, 'Too late');
  expect(await row(id)).toMatchObject({ status: 'Done', reason: null });
  await parts.play(id);
});

test('a failed backtest contains the reason, and is not replayed', async () => {
  const id = await parts.id(parts.proposal());
  await failBacktest(parts.db, { orgId: parts.orgId, backtestId: id }, 'The service could not continue');
  expect(await row(id)).toMatchObject({ status: 'Failed', reason: 'The service could not continue' });
  await parts.play(id);
  expect(await row(id)).toMatchObject({ status: 'Failed', counts: { judged: 0 } });
});

test('a backtest changes no policy, no usage and no verdict', async () => {
  const policyId = await insertPolicy(parts.db, parts.orgId, { action: BLOCK, filters: { walletId: { in: ['wa-none'] } } });
  const counts = () =>
    parts.db
      .read(parts.orgId)
      .select(
        'SELECT (SELECT count(*) FROM verdicts) AS verdicts, (SELECT count(*) FROM usage_reservations) AS usage, (SELECT count(*) FROM policies) AS policies, (SELECT count(*) FROM approvals) AS approvals',
      );
  const before = await counts();
  const id = await parts.id(parts.proposal());
  await parts.play(id);
  expect(await counts()).toEqual(before);
  expect(policyId).toBeDefined();
});
