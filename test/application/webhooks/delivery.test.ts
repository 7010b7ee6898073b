import type { ServerResponse } from 'node:http';
import type { Deliverer } from '../../../application/webhooks/delivery';
import { webhookEventView } from '../../../application/webhooks/view';
import { RETRY_TRIGGERED } from '../../../domain/webhooks';
import { EventEntity } from '../../../entities/events/event.entity';
import { eventStore } from '../../../entities/events/event.store';
import { OutboxRowEntity } from '../../../entities/outbox/outbox-row.entity';
import { webhookStore } from '../../../entities/webhooks/webhook.store';
import { WebhookEventEntity } from '../../../entities/webhooks/webhook-event.entity';
import { webhookEventStore } from '../../../entities/webhooks/webhook-event.store';
import { feedDigest } from '../../../platform/hash-chain';
import { inContext } from '../../../platform/request-context';
import { createTestDatabase, type TestDatabase } from '../../support/database';
import { insertWebhook, localDeliverer, WEBHOOK_SECRET } from '../../support/relay';
import { waitUntil } from '../../support/wait-until';
import { isSigned, startWebhookSink, type WebhookSink } from '../../support/webhook-sink';

let database: TestDatabase;
let sink: WebhookSink;
let deliverer: Deliverer;
let orgId: string;
beforeAll(async () => {
  database = await createTestDatabase();
  deliverer = localDeliverer(database, 1_000);
});
beforeEach(async () => {
  orgId = await database.createOrganization();
  sink = await startWebhookSink();
});
afterEach(() => sink.close());
afterAll(() => database.close());

const emit = (aggregateVersion = 3) =>
  database.db.withOrg(orgId, (tx) =>
    eventStore.emit(tx, { kind: 'wallet.created', aggregateId: 'wa-1', aggregateVersion, data: { wallet: { name: 'Größe' } } }),
  );
const attempts = async (webhookId: string) =>
  (
    await webhookEventStore.list(database.db.read(orgId), webhookId, {
      kind: undefined,
      deliveryFailed: undefined,
      after: undefined,
      limit: 50,
    })
  )
    .reverse()
    .map(webhookEventView);
const pendingCount = async () => (await database.db.read(orgId).rows(WebhookEventEntity, `WHERE t.status = 'Pending'`)).length;
const starts = () => database.db.read(orgId).rows(OutboxRowEntity, `WHERE t.kind = 'start' ORDER BY t.id`);

test('a delivery is the envelope as compact JSON, signed over its exact bytes, and the attempt is stored as the receiver got it', async () => {
  const webhookId = await insertWebhook(database, orgId, sink.url);
  await deliverer.deliver(orgId, await emit());
  const [delivery] = sink.deliveries;
  const { envelope, raw, headers } = delivery ?? fail();
  expect(raw).toBe(JSON.stringify(envelope));
  expect(headers['content-type']).toBe('application/json');
  expect(isSigned(delivery ?? fail(), WEBHOOK_SECRET)).toBe(true);
  expect(isSigned(delivery ?? fail(), 'whs-another')).toBe(false);
  const { id, date, timestampSent } = envelope;
  expect(envelope).toEqual({
    id: expect.stringMatching(/^whe-[a-z0-9]{5}-[a-z0-9]{5}-[a-z0-9]{14,16}$/),
    kind: 'wallet.created',
    date: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    data: { wallet: { name: 'Größe' } },
    timestampSent: expect.any(Number),
    deliveryAttempt: 1,
    version: 3,
  });
  expect(Math.abs(timestampSent - Date.parse(date) / 1_000)).toBeLessThan(10);
  expect(await attempts(webhookId)).toEqual([
    {
      id,
      date,
      kind: 'wallet.created',
      data: envelope.data,
      status: '200',
      timestampSent,
      deliveryFailed: false,
      deliveryAttempt: 1,
    },
  ]);
  expect(await starts()).toEqual([]);
});

test('the headers of every attempt contain the event’s place in the feed, and the body matches the digest in the headers', async () => {
  sink.behave(500);
  const webhookId = await insertWebhook(database, orgId, sink.url);
  await deliverer.deliver(orgId, await emit(1));
  const eventId = await emit(2);
  await deliverer.deliver(orgId, eventId);
  const [, second] = await attempts(webhookId);
  await deliverer.retry(orgId, second?.id ?? '', 2);
  const [, first, retry] = sink.deliveries;
  expect([first?.envelope.deliveryAttempt, retry?.envelope.deliveryAttempt]).toEqual([1, 2]);
  // The retry event of the first delivery has the second place.
  for (const { envelope, headers } of [first ?? fail(), retry ?? fail()]) {
    const { kind, date, data, version = 0 } = envelope;
    expect(headers).toMatchObject({
      'x-svc-webhook-event': eventId,
      'x-svc-webhook-sequence': '3',
      'x-svc-webhook-digest': feedDigest({ id: eventId, kind, date, data, version }),
    });
  }
});

test('the deliveries of a ping and of an event from before the feed do not contain a place', async () => {
  const webhookId = await insertWebhook(database, orgId, sink.url);
  const eventId = await emit();
  await database.arrange('DELETE FROM feed_pending WHERE org_id = $1', [orgId]);
  await deliverer.deliver(orgId, eventId);
  await deliverer.ping(orgId, webhookId);
  const named = sink.deliveries.map(({ headers }) => Object.keys(headers).filter((name) => name.startsWith('x-svc-webhook-')));
  expect(named).toEqual([['x-svc-webhook-signature'], ['x-svc-webhook-signature']]);
});

test.each([201, 202, 204, 302, 400, 500])(
  'after status %i instead of 200, the attempt has failed, and a workflow is started for the next attempt',
  async (status) => {
    sink.behave(status);
    const webhookId = await insertWebhook(database, orgId, sink.url);
    await deliverer.deliver(orgId, await emit());
    const [attempt] = await attempts(webhookId);
    expect(attempt).toMatchObject({
      status: String(status),
      deliveryFailed: true,
      error: `the receiver answered ${status} instead of 200`,
    });
    const [start] = await starts();
    expect(start).toMatchObject({ aggregateId: attempt?.id, routing: { workflow: 'deliverWebhook' } });
    const firstAttempt = start?.routing['firstAttempt'] ?? '';
    expect(Date.parse(attempt?.nextAttemptDate ?? '') - Date.parse(firstAttempt)).toBe(60_000);
  },
);

test('a retry emits one event, which goes only to other webhooks; a failed delivery of this event emits no further event', async () => {
  sink.behave(500);
  const webhookId = await insertWebhook(database, orgId, sink.url, ['*', RETRY_TRIGGERED]);
  const watcherId = await insertWebhook(database, orgId, sink.url, [RETRY_TRIGGERED]);
  const told = () => database.db.read(orgId).rows(EventEntity, `WHERE t.kind = '${RETRY_TRIGGERED}'`);
  const eventId = await emit();
  await deliverer.deliver(orgId, eventId);
  const [attempt] = await attempts(webhookId);
  const [event] = await told();
  expect(event?.data).toEqual({
    webhookEvent: {
      id: attempt?.id,
      webhookId,
      kind: 'wallet.created',
      date: attempt?.date,
      status: '500',
      nextAttemptDate: attempt?.nextAttemptDate,
    },
  });
  await deliverer.deliver(orgId, eventId);
  await deliverer.retry(orgId, attempt?.id ?? '', 2);
  await deliverer.deliver(orgId, event?.id ?? '');
  const failures = async (id: string) => (await attempts(id)).map(({ kind, deliveryFailed }) => [kind, deliveryFailed]);
  expect(await failures(webhookId)).toEqual([
    ['wallet.created', true],
    ['wallet.created', true],
  ]);
  expect(await failures(watcherId)).toEqual([[RETRY_TRIGGERED, true]]);
  expect(await told()).toHaveLength(1);
  expect(await starts()).toHaveLength(2);
});

test('an attempt that gets no answer fails as TimedOut', async () => {
  sink.behave('silent');
  const webhookId = await insertWebhook(database, orgId, sink.url);
  await deliverer.deliver(orgId, await emit());
  expect(await attempts(webhookId)).toMatchObject([{ status: 'TimedOut', deliveryFailed: true }]);
});

test('an event goes only to enabled webhooks that subscribed to its kind before the event', async () => {
  const ids = {
    all: await insertWebhook(database, orgId, sink.url, ['*']),
    kind: await insertWebhook(database, orgId, sink.url, ['key.created', 'wallet.created']),
    other: await insertWebhook(database, orgId, sink.url, ['wallet.tags.modified']),
    disabled: await insertWebhook(database, orgId, sink.url),
    deleted: await insertWebhook(database, orgId, sink.url),
  };
  await database.db.withOrg(orgId, async (tx) => {
    await webhookStore.update(tx, ids.disabled, { status: 'Disabled' });
    await webhookStore.markDeleted(tx, ids.deleted);
  });
  const eventId = await emit();
  const late = await insertWebhook(database, orgId, sink.url);
  // Dates are in milliseconds, and event and webhook may have been created within the same millisecond.
  await database.arrange(`UPDATE webhooks SET date_created = date_created + interval '1 millisecond' WHERE id = $1`, [late]);
  await insertWebhook(database, await database.createOrganization(), sink.url);
  await deliverer.deliver(orgId, eventId);
  expect(sink.deliveries).toHaveLength(2);
  for (const [id, count] of [
    [ids.all, 1],
    [ids.kind, 1],
    [ids.other, 0],
    [ids.disabled, 0],
    [ids.deleted, 0],
    [late, 0],
  ] as const) {
    expect(await attempts(id)).toHaveLength(count);
  }
});

test('an attempt that a crash left unrecorded is repeated under the same id, and a recorded attempt is not', async () => {
  const webhookId = await insertWebhook(database, orgId, sink.url);
  const eventId = await emit();
  const [begun] = await database.db.withOrg(orgId, (tx) =>
    webhookEventStore.begin(tx, [{ webhookId, event: { id: eventId, kind: 'wallet.created' }, number: 1, firstId: null }]),
  );
  expect(await attempts(webhookId)).toMatchObject([{ id: begun?.id, status: 'Pending', deliveryFailed: false }]);
  await deliverer.deliver(orgId, eventId);
  await deliverer.deliver(orgId, eventId);
  expect(sink.deliveries.map(({ envelope }) => envelope.id)).toEqual([begun?.id]);
  expect(await attempts(webhookId)).toMatchObject([{ id: begun?.id, status: '200' }]);
});

test('two processes that send the same attempt record one result and start one workflow', async () => {
  sink.behave(500);
  const webhookId = await insertWebhook(database, orgId, sink.url);
  const eventId = await emit();
  await Promise.all([deliverer.deliver(orgId, eventId), localDeliverer(database).deliver(orgId, eventId)]);
  expect(await attempts(webhookId)).toHaveLength(1);
  expect(await starts()).toHaveLength(1);
});

test('deliveries that share a commit each start a workflow with the id of their own request', async () => {
  sink.behave(500);
  await insertWebhook(database, orgId, sink.url);
  const requests = ['request-one', 'request-two', 'request-three'];
  const events = await Promise.all(requests.map((requestId) => inContext({ requestId }, () => emit())));
  await Promise.all(events.map((id, at) => inContext({ requestId: requests[at] ?? '' }, () => deliverer.deliver(orgId, id))));
  const left = await starts();
  expect(left.map(({ routing }) => routing['requestId']).sort()).toEqual([...requests].sort());
});

test('each later attempt is a new event with the id of the first in retryOf; the fifth has no next attempt', async () => {
  sink.behave(500);
  const webhookId = await insertWebhook(database, orgId, sink.url);
  await deliverer.deliver(orgId, await emit());
  const firstId = sink.deliveries[0]?.envelope.id ?? '';
  for (const attempt of [2, 3, 4, 5]) expect(await deliverer.retry(orgId, firstId, attempt)).toBe('Failed');
  const [start] = await starts();
  const first = Date.parse(start?.routing['firstAttempt'] ?? '');
  const stored = await attempts(webhookId);
  expect(stored.map(({ nextAttemptDate }) => nextAttemptDate && Date.parse(nextAttemptDate) - first)).toEqual([
    60_000,
    720_000,
    7_200_000,
    86_400_000,
    undefined,
  ]);
  expect(new Set(stored.map(({ id }) => id)).size).toBe(5);
  expect(stored.map(({ retryOf }) => retryOf)).toEqual([undefined, firstId, firstId, firstId, firstId]);
  expect(sink.deliveries.map(({ envelope }) => [envelope.deliveryAttempt, envelope.retryOf])).toEqual([
    [1, undefined],
    [2, firstId],
    [3, firstId],
    [4, firstId],
    [5, firstId],
  ]);
  expect(new Set(sink.deliveries.map(({ envelope }) => JSON.stringify([envelope.kind, envelope.date, envelope.data]))).size).toBe(
    1,
  );
  expect(await starts()).toHaveLength(1);
});

test('a retry that was already made returns the stored result and is not sent again', async () => {
  sink.behave(500);
  await insertWebhook(database, orgId, sink.url);
  await deliverer.deliver(orgId, await emit());
  const firstId = sink.deliveries[0]?.envelope.id ?? '';
  sink.behave(200);
  expect(await deliverer.retry(orgId, firstId, 2)).toBe('Delivered');
  expect(await deliverer.retry(orgId, firstId, 2)).toBe('Delivered');
  expect(sink.deliveries).toHaveLength(2);
});

test.each(['disabled', 'deleted'])('a %s webhook gets no retry, and its failed attempt has no next attempt', async (how) => {
  sink.behave(500);
  const webhookId = await insertWebhook(database, orgId, sink.url);
  await deliverer.deliver(orgId, await emit());
  await database.db.withOrg(orgId, (tx) =>
    how === 'deleted' ? webhookStore.markDeleted(tx, webhookId) : webhookStore.update(tx, webhookId, { status: 'Disabled' }),
  );
  expect(await deliverer.retry(orgId, sink.deliveries[0]?.envelope.id ?? '', 2)).toBe('Stopped');
  expect(sink.deliveries).toHaveLength(1);
  const [attempt] = await attempts(webhookId);
  expect(attempt).toMatchObject({ status: '500', deliveryFailed: true });
  expect(attempt?.nextAttemptDate).toBeUndefined();
});

test('a slow receiver gets at most sixteen deliveries at once', async () => {
  const patient = localDeliverer(database, 10_000);
  const waiting: ServerResponse[] = [];
  sink.behave((response) => waiting.push(response));
  await insertWebhook(database, orgId, sink.url);
  const deliveries: Promise<void>[] = [];
  for (let version = 1; version <= 40; version += 1) deliveries.push(emit(version).then((id) => patient.deliver(orgId, id)));
  await waitUntil('every attempt to be written', async () => (await pendingCount()) === 40);
  await sink.received(16);
  expect(sink.deliveries).toHaveLength(16);
  sink.behave(200);
  for (const response of waiting) response.end();
  await Promise.all(deliveries);
  expect(sink.deliveries).toHaveLength(40);
});

test('an attempt fails without sending when the secret cannot be decrypted', async () => {
  const webhookId = await insertWebhook(database, orgId, sink.url);
  await database.db.withOrg(orgId, (tx) => tx.query(`UPDATE webhooks SET sealed_secret = 'AAAA' WHERE id = $1`, [webhookId]));
  await deliverer.deliver(orgId, await emit());
  expect(sink.deliveries).toHaveLength(0);
  expect(await attempts(webhookId)).toMatchObject([{ status: 'SecretUnreadable', deliveryFailed: true }]);
});

test('a ping is signed like any delivery and recorded nowhere', async () => {
  const webhookId = await insertWebhook(database, orgId, sink.url);
  expect(await deliverer.ping(orgId, webhookId)).toEqual({ status: '200' });
  const delivery = sink.deliveries[0] ?? fail();
  expect(delivery.envelope).toMatchObject({ kind: 'webhook.ping', deliveryAttempt: 1, data: { webhook: { id: webhookId } } });
  expect(isSigned(delivery, WEBHOOK_SECRET)).toBe(true);
  expect(await attempts(webhookId)).toEqual([]);
});

function fail(): never {
  throw new Error('nothing was delivered');
}
