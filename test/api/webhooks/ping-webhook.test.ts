import type { TestWorkflowEnvironment } from '@temporalio/testing';
import { Worker } from '@temporalio/worker';
import { createWebhookActivities } from '../../../activities/webhooks/webhooks';
import { createDeliverer } from '../../../application/webhooks/delivery';
import { routeOf } from '../../../domain/routes';
import { WebhookEventEntity } from '../../../entities/webhooks/webhook-event.entity';
import { dataConverterOf } from '../../../platform/payload-codec';
import { createSecretBox } from '../../../platform/secret-box';
import { openTimeSkipping } from '../../support/temporal';
import { DATA_KEK, startWebhookApi, UNKNOWN_WEBHOOK, type WebhookApi } from '../../support/webhook-api';
import { isSigned, startWebhookSink, type WebhookSink } from '../../support/webhook-sink';
import { WORKFLOW_BUNDLE } from '../../support/workflow-bundle';

let environment: TestWorkflowEnvironment;
let hooks: WebhookApi;
let sink: WebhookSink;
let worker: Worker;
let running: Promise<void>;
beforeAll(async () => {
  environment = await openTimeSkipping();
  [hooks, sink] = await Promise.all([startWebhookApi(environment.address), startWebhookSink()]);
  const secrets = createSecretBox(DATA_KEK, 'webhook-secrets');
  worker = await Worker.create({
    connection: environment.nativeConnection,
    taskQueue: routeOf('').main,
    workflowBundle: WORKFLOW_BUNDLE,
    dataConverter: dataConverterOf(DATA_KEK, 'default'),
    activities: createWebhookActivities({ deliverer: createDeliverer({ db: hooks.db, secrets, allowLoopback: true }) }),
  });
  running = worker.run();
}, 120_000);
afterAll(async () => {
  worker?.shutdown();
  await running;
  await Promise.all([hooks?.close(), sink?.close()]);
  await environment?.teardown();
});

test("200: the test event is signed with the webhook's secret, the receiver's status is returned, and nothing is recorded", async () => {
  const admin = await hooks.admin();
  const { id, secret } = await hooks.create(admin, { url: sink.url, status: 'Disabled' });
  const { status, body } = await admin.client.change('POST', `/webhooks/${id}/ping`, {});
  expect(status).toBe(200);
  expect(body).toEqual({ status: '200' });
  const delivery = sink.deliveries.at(-1);
  expect(delivery && isSigned(delivery, secret)).toBe(true);
  expect(await hooks.db.read(admin.orgId).rows(WebhookEventEntity, '')).toEqual([]);
});

test('200: the answer has the status of the receiver or ConnectionFailed, with an error unless the receiver answers 200', async () => {
  const admin = await hooks.admin();
  const { id } = await hooks.create(admin, { url: sink.url });
  sink.behave(418);
  expect((await admin.client.change('POST', `/webhooks/${id}/ping`)).body).toEqual({
    status: '418',
    error: 'the receiver answered 418 instead of 200',
  });
  sink.behave((response) => response.destroy());
  expect((await admin.client.change('POST', `/webhooks/${id}/ping`, {})).body).toMatchObject({ status: 'ConnectionFailed' });
});

test('404: a webhook that is unknown or belongs to another organisation', async () => {
  const admin = await hooks.admin();
  const foreign = await hooks.create(await hooks.admin());
  for (const id of [UNKNOWN_WEBHOOK, foreign.id]) {
    expect((await admin.client.change('POST', `/webhooks/${id}/ping`, {})).status).toBe(404);
  }
});

test('503: Temporal cannot be reached, and the answer asks the caller to try again', async () => {
  const alone = await startWebhookApi();
  const admin = await alone.admin();
  const { id } = await alone.create(admin);
  const { status, body } = await admin.client.change('POST', `/webhooks/${id}/ping`, {});
  expect(status).toBe(503);
  expect(body).toMatchObject({ error: { id: 'NotReady' } });
  await alone.close();
});
