import type { TestWorkflowEnvironment } from '@temporalio/testing';
import { Worker } from '@temporalio/worker';
import type { HousekeepingActivities } from '../../activities/housekeeping/duties';
import { sharedRoute } from '../../domain/routes';
import { newId } from '../../platform/ids';
import { HOUSEKEEPING, type HousekeepingInput } from '../../workflows/housekeeping.messages';
import { recordHistory } from '../support/recording';
import { openTimeSkipping } from '../support/temporal';
import { WORKFLOW_BUNDLE } from '../support/workflow-bundle';

let environment: TestWorkflowEnvironment;
beforeAll(async () => {
  environment = await openTimeSkipping();
}, 120_000);
afterAll(() => environment?.teardown());

type Round = HousekeepingActivities['doHouseRound'];

/** Runs one duty (a scheduled housekeeping task) to its end; `title` names the recording. */
async function run(doHouseRound: Round, title?: string) {
  const worker = await Worker.create({
    connection: environment.nativeConnection,
    taskQueue: sharedRoute.main,
    workflowBundle: WORKFLOW_BUNDLE,
    activities: { doHouseRound },
  });
  const input: HousekeepingInput = { duty: 'reconcile-transfers' };
  const workflowId = newId('event');
  return worker.runUntil(async () => {
    const options = { workflowId, taskQueue: sharedRoute.main, args: [input] };
    const handle = await environment.client.workflow.start(HOUSEKEEPING, options);
    const result: unknown = await handle.result();
    if (title !== undefined) await recordHistory('housekeeping', title, handle);
    return { result, last: await environment.client.workflow.getHandle(workflowId).describe() };
  });
}

test('a duty with nothing left to do after its first round ends with that round', async () => {
  const { result } = await run(async () => ({ looked: 4, done: 1 }), 'one-round');
  expect(result).toEqual({ looked: 4, done: 1 });
});

test('each round continues after the last row of the previous round, until no row is left', async () => {
  const asked: unknown[] = [];
  const { result } = await run(async (round) => {
    asked.push(round.after);
    return round.after === undefined ? { looked: 200, done: 2, next: 'or-1/xfr-1' } : { looked: 1, done: 0 };
  }, 'two-pages');
  expect(result).toEqual({ looked: 201, done: 2 });
  expect(asked).toEqual([undefined, 'or-1/xfr-1']);
});

test('an unavailable database delays a duty and does not fail it', async () => {
  let rounds = 0;
  const { result } = await run(async () => {
    rounds += 1;
    if (rounds < 10) throw new Error('the database is away');
    return { looked: 1, done: 0 };
  }, 'database-away');
  expect(result).toEqual({ looked: 1, done: 0 });
});

test('after a hundred rounds, a new run continues at the same row, with the sums so far and a short history', async () => {
  const { result, last } = await run(async ({ after }) => {
    const number = Number(after ?? 0) + 1;
    return { looked: 1, done: 1, ...(number < 150 ? { next: String(number) } : {}) };
  });
  expect(result).toEqual({ looked: 150, done: 150 });
  expect(last.historyLength).toBeLessThan(400);
}, 60_000);
