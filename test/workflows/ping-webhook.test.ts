import type { TestWorkflowEnvironment } from '@temporalio/testing';
import { Worker } from '@temporalio/worker';
import type { WebhookActivities } from '../../activities/webhooks/webhooks';
import { createDispatcher } from '../../application/dispatch/dispatcher';
import { routeOf } from '../../domain/routes';
import { newId } from '../../platform/ids';
import { PING_WEBHOOK } from '../../workflows/ping-webhook.messages';
import { recordHistory } from '../support/recording';
import { openTimeSkipping } from '../support/temporal';
import { WORKFLOW_BUNDLE } from '../support/workflow-bundle';

let environment: TestWorkflowEnvironment;
beforeAll(async () => {
  environment = await openTimeSkipping();
}, 120_000);
afterAll(() => environment?.teardown());

const ORG_ID = 'or-1';
const ask = async (limitMs: number, title?: string) => {
  const id = newId('webhookEvent');
  const routing = { webhookId: 'wh-1' };
  try {
    return await createDispatcher(environment.client).execute(ORG_ID, { workflow: PING_WEBHOOK, id, routing, limitMs });
  } finally {
    if (title !== undefined) await recordHistory('ping-webhook', title, environment.client.workflow.getHandle(id));
  }
};

async function withWorker<T>(sendPing: WebhookActivities['sendPing'], work: () => Promise<T>): Promise<T> {
  const worker = await Worker.create({
    connection: environment.nativeConnection,
    taskQueue: routeOf(ORG_ID).main,
    workflowBundle: WORKFLOW_BUNDLE,
    activities: { sendPing },
  });
  return worker.runUntil(work());
}

test('the caller receives the answer of the receiver', async () => {
  const orders: unknown[] = [];
  const answer = await withWorker(
    async (order) => {
      orders.push(order);
      return { status: '503', error: 'the receiver answered 503 instead of 200' };
    },
    () => ask(10_000, 'answered'),
  );
  expect(answer).toEqual({ status: '503', error: 'the receiver answered 503 instead of 200' });
  expect(orders).toEqual([{ orgId: ORG_ID, webhookId: 'wh-1' }]);
});

test('a ping that fails is not sent a second time, and the caller is told to try again later', async () => {
  let sent = 0;
  const answer = withWorker(
    async () => {
      sent += 1;
      throw new Error('the worker lost its database');
    },
    () => ask(10_000, 'not-sent'),
  );
  await expect(answer).rejects.toMatchObject({ code: 'NotReady' });
  expect(sent).toBe(1);
});

test('without a worker, the caller is told within the limit', async () => {
  await expect(ask(1_000)).rejects.toMatchObject({ code: 'NotReady' });
});
