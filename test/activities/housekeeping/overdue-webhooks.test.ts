import { eventStore } from '../../../entities/events/event.store';
import { webhookStore } from '../../../entities/webhooks/webhook.store';
import { WebhookEventEntity } from '../../../entities/webhooks/webhook-event.entity';
import { webhookEventStore } from '../../../entities/webhooks/webhook-event.store';
import { type Housekeeping, openHousekeeping } from '../../support/housekeeping';
import { insertWebhook, localDeliverer } from '../../support/relay';

let housekeeping: Housekeeping;
let orgId: string;
let webhookId: string;
beforeAll(async () => {
  housekeeping = await openHousekeeping();
});
afterAll(() => housekeeping?.close());
beforeEach(async () => {
  await housekeeping.upset('DELETE FROM webhook_events');
  await housekeeping.upset('DELETE FROM outbox');
  housekeeping.lines();
  orgId = await housekeeping.database.createOrganization();
  // Nothing listens at this address, so every attempt fails at once.
  webhookId = await insertWebhook(housekeeping.database, orgId, 'http://127.0.0.1:9');
});

const withOrg: Housekeeping['database']['db']['withOrg'] = (org, work) => housekeeping.database.db.withOrg(org, work);
const rows = () => housekeeping.database.db.read(orgId).rows(WebhookEventEntity, 'ORDER BY t.id');
const emit = () =>
  withOrg(orgId, (tx) => eventStore.emit(tx, { kind: 'wallet.created', aggregateId: 'wa-1', aggregateVersion: 1, data: {} }));
const relayed = () => housekeeping.upset('UPDATE outbox SET date_relayed = clock_timestamp()');
const olderBy = async (interval: string) => {
  await housekeeping.upset(
    `UPDATE webhook_events SET date_created = date_created - $1::interval, next_attempt_date = next_attempt_date - $1::interval`,
    [interval],
  );
};

/** Makes a first attempt that fails, and marks the outbox rows as relayed. */
async function failed(): Promise<string> {
  await localDeliverer(housekeeping.database).deliver(orgId, await emit());
  await relayed();
  return (await rows())[0]?.id ?? '';
}

/** A first attempt that a crash cut off before the receiver answered. */
async function cutOff(): Promise<string> {
  const event = { id: await emit(), kind: 'wallet.created' } as const;
  await withOrg(orgId, (tx) => webhookEventStore.begin(tx, [{ webhookId, event, number: 1, firstId: null }]));
  return (await rows())[0]?.id ?? '';
}

test('an overdue retry without a workflow is started again with the times of its first attempt', async () => {
  const id = await failed();
  await olderBy('17 minutes');
  expect(await housekeeping.keep('reconcile-webhooks')).toEqual({ looked: 1, done: 1 });
  const firstAttempt = (await rows())[0]?.dateCreated.toISOString();
  expect(await housekeeping.starts(orgId)).toEqual({
    [id]: { workflow: 'deliverWebhook', firstAttempt, summary: 'Deliver wallet.created again', again: 'true' },
  });
  expect(await housekeeping.keep('reconcile-webhooks')).toEqual({ looked: 0, done: 0 });
  expect(housekeeping.lines()).toEqual(['warn: an overdue webhook delivery had no workflow: started again']);
});

test('a retry is left alone when it is not overdue, when its workflow runs, or when it has already been made', async () => {
  const id = await failed();
  await olderBy('15 minutes');
  expect(await housekeeping.keep('reconcile-webhooks')).toEqual({ looked: 0, done: 0 });
  await olderBy('2 minutes');
  housekeeping.standing.set(id, { kind: 'Running' });
  expect(await housekeeping.keep('reconcile-webhooks')).toEqual({ looked: 1, done: 0 });
  await localDeliverer(housekeeping.database).retry(orgId, id, 2);
  expect(await housekeeping.keep('reconcile-webhooks')).toEqual({ looked: 0, done: 0 });
});

test('an attempt that a crash cut off while its webhook was being disabled does not stay Pending for ever', async () => {
  const id = await cutOff();
  await withOrg(orgId, (tx) => webhookStore.update(tx, webhookId, { status: 'Disabled' }));
  await olderBy('16 minutes');
  // The event still waits for the relay, which sends the event again to an active webhook.
  expect(await housekeeping.keep('reconcile-webhooks')).toEqual({ looked: 0, done: 0 });
  await relayed();
  expect(await housekeeping.keep('reconcile-webhooks')).toEqual({ looked: 1, done: 1 });
  expect(await rows()).toMatchObject([{ id, status: 'Interrupted', deliveryFailed: true, nextAttemptDate: null }]);
  expect(await housekeeping.starts(orgId)).toEqual({});
  expect(housekeeping.lines()).toEqual([
    'warn: a webhook delivery without a result was closed: no process will attempt it again',
  ]);
});

test('an attempt that may still be under way is left alone', async () => {
  await cutOff();
  await relayed();
  await olderBy('14 minutes');
  expect(await housekeeping.keep('reconcile-webhooks')).toEqual({ looked: 0, done: 0 });
});

test('a retry that was lost in a crash together with its workflow is repeated by a new workflow', async () => {
  const id = await failed();
  const [first] = await rows();
  const event = { id: first?.eventId ?? '', kind: 'wallet.created' } as const;
  await withOrg(orgId, (tx) => webhookEventStore.begin(tx, [{ webhookId, event, number: 2, firstId: id }]));
  await olderBy('17 minutes');
  expect(await housekeeping.keep('reconcile-webhooks')).toEqual({ looked: 1, done: 1 });
  expect(Object.keys(await housekeeping.starts(orgId))).toEqual([id]);
});

test('a retry of a delivery whose first row has been deleted is given up', async () => {
  const id = await failed();
  await localDeliverer(housekeeping.database).retry(orgId, id, 2);
  await housekeeping.upset('DELETE FROM webhook_events WHERE id = $1', [id]);
  await olderBy('32 days');
  expect(await localDeliverer(housekeeping.database).retry(orgId, id, 3)).toBe('Stopped');
  expect(await housekeeping.keep('reconcile-webhooks')).toEqual({ looked: 1, done: 1 });
  expect(await rows()).toMatchObject([{ deliveryFailed: true, nextAttemptDate: null, deliveryAttempt: 2 }]);
  expect(await housekeeping.keep('reconcile-webhooks')).toEqual({ looked: 0, done: 0 });
});
