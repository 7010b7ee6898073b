import { randomUUID } from 'node:crypto';
import { ApplicationFailure, type WorkflowHandle } from '@temporalio/client';
import type { TestWorkflowEnvironment } from '@temporalio/testing';
import { Worker } from '@temporalio/worker';
import type { RecoveryStanding } from '../../domain/recoveries';
import { routeOf } from '../../domain/routes';
import { RECOVER, recoveryStopped } from '../../workflows/recover.messages';
import { recordHistory } from '../support/recording';
import { openTimeSkipping } from '../support/temporal';
import { waitUntil } from '../support/wait-until';
import { WORKFLOW_BUNDLE } from '../support/workflow-bundle';

let environment: TestWorkflowEnvironment;
beforeAll(async () => {
  environment = await openTimeSkipping();
}, 120_000);
afterAll(() => environment?.teardown());

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const orgId = 'or-1';
const id = 'rcv-1';

type Handle = WorkflowHandle<(input: unknown) => Promise<string>>;
type Look = () => Promise<RecoveryStanding>;

const waiting =
  (waitMs: number): Look =>
  async () => ({ status: 'Waiting', waitMs });
const applied: Look = async () => ({ status: 'Applied', waitMs: 0 });
const stopped: Look = async () => ({ status: 'Stopped', waitMs: 0 });

/**
 * Runs the workflow to its end. `looks` lists the results of the checks in order. Returns the hours from the first check to each
 * check.
 */
async function play(title: string, looks: readonly Look[], story: (workflow: Handle, count: () => number) => Promise<unknown>) {
  const left = [...looks];
  const times: number[] = [];
  const orders: unknown[] = [];
  const activities = {
    applyRecovery: async (order: unknown) => {
      orders.push(order);
      times.push(await environment.currentTimeMs());
      const look = left.shift();
      if (!look) throw ApplicationFailure.nonRetryable('not part of this story');
      return look();
    },
  };
  const taskQueue = routeOf(orgId).main;
  const worker = await Worker.create({
    connection: environment.nativeConnection,
    taskQueue,
    workflowBundle: WORKFLOW_BUNDLE,
    activities,
  });
  return worker.runUntil(async () => {
    const options = { workflowId: `${id}-${randomUUID()}`, taskQueue, args: [{ orgId, id, routing: {} }] };
    const workflow: Handle = await environment.client.workflow.start(RECOVER, options);
    await story(workflow, () => times.length);
    const result = await workflow.result().catch(() => 'failed');
    await recordHistory('recover', title, workflow);
    for (const order of orders) expect(order).toEqual({ orgId, recoveryId: id });
    return { result, hours: times.map((time) => Math.round((time - (times[0] ?? 0)) / HOUR_MS)) };
  });
}

const nothing = async () => undefined;
const looked = (count: () => number) => waitUntil('the first look', () => count() > 0);

test('a recovery is checked when the wait is over, and not before', async () => {
  expect(await play('applied', [waiting(DAY_MS), applied], nothing)).toEqual({ result: 'Applied', hours: [0, 24] });
});

test('after a timer that fired early, the workflow waits for the remaining time by the clock of the database', async () => {
  const { result, hours } = await play('early-timer', [waiting(DAY_MS), waiting(HOUR_MS), applied], nothing);
  expect({ result, hours }).toEqual({ result: 'Applied', hours: [0, 24, 25] });
});

test('a recovery that is stopped ends at once', async () => {
  const story = async (workflow: Handle, count: () => number) => {
    await looked(count);
    await workflow.signal(recoveryStopped);
  };
  expect(await play('stopped', [waiting(DAY_MS), stopped], story)).toEqual({ result: 'Stopped', hours: [0, 0] });
});

test('a recovery that was stopped before the first look ends too', async () => {
  expect(await play('stopped-before', [stopped], nothing)).toEqual({ result: 'Stopped', hours: [0] });
});

test('a wake-up without a change does not shorten the wait', async () => {
  const story = async (workflow: Handle, count: () => number) => {
    await looked(count);
    await workflow.signal(recoveryStopped);
  };
  const { result, hours } = await play('woken-for-nothing', [waiting(DAY_MS), waiting(DAY_MS), applied], story);
  expect({ result, hours }).toEqual({ result: 'Applied', hours: [0, 0, 24] });
});

test('a request to cancel changes nothing', async () => {
  const story = async (workflow: Handle, count: () => number) => {
    await looked(count);
    await workflow.cancel();
  };
  expect((await play('cancel-requested', [waiting(DAY_MS), applied], story)).result).toBe('Applied');
});

test('the recovery waits for an unavailable database', async () => {
  const away: Look = async () => {
    throw new Error('the database is away');
  };
  expect((await play('database-away', [away, away, applied], nothing)).result).toBe('Applied');
});

test('a recovery that can never succeed ends as failed, for an operator to see', async () => {
  expect((await play('broken', [], nothing)).result).toBe('failed');
});
