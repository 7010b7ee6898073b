import type { TestWorkflowEnvironment } from '@temporalio/testing';
import { Worker } from '@temporalio/worker';
import type { BacktestActivities } from '../../activities/backtests/backtests';
import { routeOf } from '../../domain/routes';
import { newId } from '../../platform/ids';
import { BACKTEST, type BacktestInput } from '../../workflows/backtest.messages';
import { recordHistory } from '../support/recording';
import { openTimeSkipping } from '../support/temporal';
import { WORKFLOW_BUNDLE } from '../support/workflow-bundle';

let environment: TestWorkflowEnvironment;
beforeAll(async () => {
  environment = await openTimeSkipping();
}, 120_000);
afterAll(() => environment?.teardown());

const ORG_ID = 'or-1';

async function run(activities: BacktestActivities, title: string): Promise<unknown> {
  const taskQueue = routeOf(ORG_ID).main;
  const connection = environment.nativeConnection;
  const worker = await Worker.create({ connection, taskQueue, workflowBundle: WORKFLOW_BUNDLE, activities });
  const workflowId = newId('backtest');
  const input: BacktestInput = { orgId: ORG_ID, id: workflowId };
  const options = { workflowId, taskQueue, args: [input] };
  const result: unknown = await worker.runUntil(environment.client.workflow.execute(BACKTEST, options));
  await recordHistory('backtest', title, environment.client.workflow.getHandle(workflowId));
  return result;
}

test('a backtest is played to its end, even if an attempt is interrupted', async () => {
  let attempts = 0;
  const asked: unknown[] = [];
  const replayBacktest = async (ref: unknown) => {
    attempts += 1;
    asked.push(ref);
    if (attempts === 1) throw new Error('the database is away');
  };
  const failBacktest = async () => {
    throw new Error('the backtest was given up');
  };
  expect(await run({ replayBacktest, failBacktest }, 'played')).toBe('Played');
  expect(asked).toEqual([asked[0], asked[0]]);
  expect(asked[0]).toEqual({ orgId: ORG_ID, backtestId: expect.stringMatching(/^btr-/) });
});

test('a backtest that cannot be played is given up after five attempts', async () => {
  let attempts = 0;
  let given = 0;
  const replayBacktest = async () => {
    attempts += 1;
    throw new Error('it cannot be played');
  };
  const failBacktest = async () => {
    given += 1;
  };
  expect(await run({ replayBacktest, failBacktest }, 'given-up')).toBe('GivenUp');
  expect([attempts, given]).toEqual([5, 1]);
});
