import type { TestWorkflowEnvironment } from '@temporalio/testing';
import { Worker } from '@temporalio/worker';
import type { WebhookActivities } from '../../activities/webhooks/webhooks';
import { createWebhookActivities } from '../../activities/webhooks/webhooks';
import { eventStore } from '../../entities/events/event.store';
import { OutboxRowEntity } from '../../entities/outbox/outbox-row.entity';
import { webhookStore } from '../../entities/webhooks/webhook.store';
import { newId } from '../../platform/ids';
import { DELIVER_WEBHOOK, type DeliverWebhookInput } from '../../workflows/deliver-webhook.messages';
import { createTestDatabase, type TestDatabase } from '../support/database';
import { recordHistory } from '../support/recording';
import { insertWebhook, localDeliverer } from '../support/relay';
import { openTimeSkipping } from '../support/temporal';
import { startWebhookSink, type WebhookSink } from '../support/webhook-sink';
import { WORKFLOW_BUNDLE } from '../support/workflow-bundle';

const MINUTE_MS = 60_000;
const TASK_QUEUE = 'deliver-webhook-test';

let environment: TestWorkflowEnvironment;
let database: TestDatabase;
let sink: WebhookSink;
beforeAll(async () => {
  [environment, database, sink] = await Promise.all([openTimeSkipping(), createTestDatabase(), startWebhookSink()]);
}, 120_000);
afterAll(async () => {
  await Promise.all([environment?.teardown(), database?.close(), sink?.close()]);
});

type Attempt = { readonly attempt: number; readonly afterMs: number };

/** Runs the workflow to its end. Returns the result and the time of each attempt, counted from the first attempt. */
async function run(
  input: DeliverWebhookInput,
  attemptDelivery: WebhookActivities['attemptDelivery'],
  title?: string,
): Promise<{ result: string; attempts: Attempt[]; workflowId: string }> {
  const attempts: Attempt[] = [];
  const worker = await Worker.create({
    connection: environment.nativeConnection,
    taskQueue: TASK_QUEUE,
    workflowBundle: WORKFLOW_BUNDLE,
    activities: {
      attemptDelivery: async (order: Parameters<typeof attemptDelivery>[0]) => {
        const nowMs = await environment.currentTimeMs();
        attempts.push({ attempt: order.attempt, afterMs: nowMs - Date.parse(input.routing.firstAttempt) });
        return attemptDelivery(order);
      },
    },
  });
  const workflowId = newId('webhookEvent');
  const options = { workflowId, taskQueue: TASK_QUEUE, args: [input] };
  const result: unknown = await worker.runUntil(async () => {
    const handle = await environment.client.workflow.start(DELIVER_WEBHOOK, options);
    const answer: unknown = await handle.result();
    if (title !== undefined) await recordHistory('deliver-webhook', title, handle);
    return answer;
  });
  return { result: String(result), attempts, workflowId };
}

const inputNow = async (): Promise<DeliverWebhookInput> => ({
  orgId: 'or-1',
  id: 'whe-1',
  routing: { firstAttempt: new Date(await environment.currentTimeMs()).toISOString() },
});

test('retries come at 1 min, 12 min, 2 h and 24 h after the first attempt, and then no more', async () => {
  const { result, attempts } = await run(await inputNow(), async () => 'Failed', 'given-up');
  expect(result).toBe('GivenUp');
  expect(attempts.map(({ attempt }) => attempt)).toEqual([2, 3, 4, 5]);
  const due = [1, 12, 120, 1_440].map((minutes) => minutes * MINUTE_MS);
  for (const [index, { afterMs }] of attempts.entries()) {
    expect(afterMs - (due[index] ?? 0)).toBeGreaterThanOrEqual(-10);
    expect(afterMs - (due[index] ?? 0)).toBeLessThan(5_000);
  }
});

test('after a successful delivery, there is no further attempt', async () => {
  const { result, attempts } = await run(
    await inputNow(),
    async ({ attempt }) => (attempt === 3 ? 'Delivered' : 'Failed'),
    'delivered',
  );
  expect(result).toBe('Delivered');
  expect(attempts.map(({ attempt }) => attempt)).toEqual([2, 3]);
});

test('a database that is unavailable for an hour delays the attempt, and later attempts keep their times', async () => {
  const input = await inputNow();
  const backAtMs = Date.parse(input.routing.firstAttempt) + 60 * MINUTE_MS;
  const { attempts } = await run(
    input,
    async () => {
      if ((await environment.currentTimeMs()) < backAtMs) throw new Error('the database is away');
      return 'Failed';
    },
    'database-away',
  );
  const last = new Map(attempts.map(({ attempt, afterMs }) => [attempt, afterMs]));
  expect(last.get(2)).toBeGreaterThanOrEqual(60 * MINUTE_MS);
  expect(last.get(3)).toBeLessThan(63 * MINUTE_MS);
  expect(Math.abs((last.get(4) ?? 0) - 120 * MINUTE_MS)).toBeLessThan(5_000);
});

/** Makes a failed first attempt over real rows, and returns the input of the workflow that the outbox would start. */
async function failedFirstAttempt() {
  const orgId = await database.createOrganization();
  const webhookId = await insertWebhook(database, orgId, sink.url);
  const eventId = await database.db.withOrg(orgId, (tx) =>
    eventStore.emit(tx, { kind: 'wallet.created', aggregateId: 'wa-1', aggregateVersion: 1, data: {} }),
  );
  const deliverer = localDeliverer(database);
  sink.behave(500);
  await deliverer.deliver(orgId, eventId);
  const start = await database.db.read(orgId).row(OutboxRowEntity, `WHERE t.kind = 'start'`);
  const routing = { firstAttempt: new Date(await environment.currentTimeMs()).toISOString() };
  const { attemptDelivery } = createWebhookActivities({ deliverer });
  return { orgId, webhookId, attemptDelivery, input: { orgId, id: start?.aggregateId ?? '', routing } };
}

const setStatus = (orgId: string, webhookId: string, status: 'Enabled' | 'Disabled') =>
  database.db.withOrg(orgId, (tx) => webhookStore.update(tx, webhookId, { status }));

test('a webhook that is disabled in between gets no further delivery', async () => {
  const { orgId, webhookId, attemptDelivery, input } = await failedFirstAttempt();
  const before = sink.deliveries.length;
  const { result, attempts } = await run(
    input,
    async (order) => {
      if (order.attempt === 3) await setStatus(orgId, webhookId, 'Disabled');
      return attemptDelivery(order);
    },
    'stopped',
  );
  expect(result).toBe('Stopped');
  expect(attempts.map(({ attempt }) => attempt)).toEqual([2, 3]);
  expect(sink.deliveries.length - before).toBe(1);
});

test('a webhook that is disabled and enabled again before the retry is due still gets the retry', async () => {
  const { orgId, webhookId, attemptDelivery, input } = await failedFirstAttempt();
  await setStatus(orgId, webhookId, 'Disabled');
  await setStatus(orgId, webhookId, 'Enabled');
  sink.behave(200);
  const { result } = await run(input, attemptDelivery);
  expect(result).toBe('Delivered');
  expect(sink.deliveries.at(-1)?.envelope).toMatchObject({ deliveryAttempt: 2, retryOf: input.id });
});
