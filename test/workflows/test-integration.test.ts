import type { TestWorkflowEnvironment } from '@temporalio/testing';
import { Worker } from '@temporalio/worker';
import type { IntegrationActivities } from '../../activities/integrations/integrations';
import { createDispatcher } from '../../application/dispatch/dispatcher';
import { routeOf } from '../../domain/routes';
import { newId } from '../../platform/ids';
import { TEST_INTEGRATION } from '../../workflows/test-integration.messages';
import { recordHistory } from '../support/recording';
import { openTimeSkipping } from '../support/temporal';
import { WORKFLOW_BUNDLE } from '../support/workflow-bundle';

let environment: TestWorkflowEnvironment;
beforeAll(async () => {
  environment = await openTimeSkipping();
}, 120_000);
afterAll(() => environment?.teardown());

const ORG_ID = 'or-1';

async function ask(pingVendor: IntegrationActivities['pingVendor'], title: string) {
  const { main, vendor } = routeOf(ORG_ID);
  const workers = await Promise.all([
    Worker.create({
      connection: environment.nativeConnection,
      taskQueue: main,
      workflowBundle: WORKFLOW_BUNDLE,
    }),
    Worker.create({ connection: environment.nativeConnection, taskQueue: vendor('KytB'), activities: { pingVendor } }),
  ]);
  const running = Promise.all(workers.map((worker) => worker.run()));
  const id = newId('integration');
  try {
    const routing = { kind: 'KytB' };
    return await createDispatcher(environment.client).execute(ORG_ID, {
      workflow: TEST_INTEGRATION,
      id,
      routing,
      limitMs: 10_000,
    });
  } finally {
    await recordHistory('test-integration', title, environment.client.workflow.getHandle(id));
    for (const worker of workers) worker.shutdown();
    await running;
  }
}

test('the vendor is asked on its own queue, and its answer is returned to the caller', async () => {
  const asked: unknown[] = [];
  const answer = await ask(async (order) => {
    asked.push(order);
    return { ok: false, failure: 'Refused' };
  }, 'answered');
  expect(answer).toEqual({ ok: false, failure: 'Refused' });
  expect(asked).toEqual([{ orgId: ORG_ID, kind: 'KytB' }]);
});

test('a lost request to the vendor is not sent a second time', async () => {
  let asked = 0;
  const answer = ask(async () => {
    asked += 1;
    throw new Error('the worker lost its database');
  }, 'lost');
  await expect(answer).rejects.toMatchObject({ code: 'NotReady' });
  expect(asked).toBe(1);
});
