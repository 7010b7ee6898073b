import { eventStore } from '../../../entities/events/event.store';
import { webhookStore } from '../../../entities/webhooks/webhook.store';
import { WebhookEventEntity } from '../../../entities/webhooks/webhook-event.entity';
import { webhookEventStore } from '../../../entities/webhooks/webhook-event.store';
import { type House, openHouse } from '../../support/house';
import { insertWebhook, localDeliverer } from '../../support/relay';

let house: House;
let orgId: string;
let webhookId: string;
beforeAll(async () => {
  house = await openHouse();
});
afterAll(() => house?.close());
beforeEach(async () => {
  await house.upset('DELETE FROM webhook_events');
  await house.upset('DELETE FROM outbox');
  house.lines();
  orgId = await house.database.createOrganization();
  // Nothing listens there, so every attempt fails at once.
  webhookId = await insertWebhook(house.database, orgId, 'http://127.0.0.1:9');
});

const withOrg: House['database']['db']['withOrg'] = (org, work) => house.database.db.withOrg(org, work);
const rows = () => house.database.db.read(orgId).rows(WebhookEventEntity, 'ORDER BY t.id');
const emit = () =>
  withOrg(orgId, (tx) => eventStore.emit(tx, { kind: 'wallet.created', aggregateId: 'wa-1', aggregateVersion: 1, data: {} }));
const relayed = () => house.upset('UPDATE outbox SET date_relayed = clock_timestamp()');
const olderBy = async (interval: string) => {
  await house.upset(
    `UPDATE webhook_events SET date_created = date_created - $1::interval, next_attempt_date = next_attempt_date - $1::interval`,
    [interval],
  );
};

/** A first attempt that failed, with everything carried out that its transactions asked for. */
async function failed(): Promise<string> {
  await localDeliverer(house.database).deliver(orgId, await emit());
  await relayed();
  return (await rows())[0]?.id ?? '';
}

/** A first attempt that a crash cut off before its answer. */
async function cutOff(): Promise<string> {
  const event = { id: await emit(), kind: 'wallet.created' } as const;
  await withOrg(orgId, (tx) => webhookEventStore.begin(tx, [{ webhookId, event, number: 1, firstId: null }]));
  return (await rows())[0]?.id ?? '';
}

test('an overdue retry without a workflow is started again with the times of its first attempt', async () => {
  const id = await failed();
  await olderBy('17 minutes');
  expect(await house.keep('reconcile-webhooks')).toEqual({ looked: 1, done: 1 });
  const firstAttempt = (await rows())[0]?.dateCreated.toISOString();
  expect(await house.starts(orgId)).toEqual({
    [id]: { workflow: 'deliverWebhook', firstAttempt, summary: 'Deliver wallet.created again', again: 'true' },
  });
  expect(await house.keep('reconcile-webhooks')).toEqual({ looked: 0, done: 0 });
  expect(house.lines()).toEqual(['warn: an overdue webhook delivery had no workflow: started again']);
});

test('a retry that is not overdue, or whose workflow runs, or that was made, is left alone', async () => {
  const id = await failed();
  await olderBy('15 minutes');
  expect(await house.keep('reconcile-webhooks')).toEqual({ looked: 0, done: 0 });
  await olderBy('2 minutes');
  house.standing.set(id, { kind: 'Running' });
  expect(await house.keep('reconcile-webhooks')).toEqual({ looked: 1, done: 0 });
  await localDeliverer(house.database).retry(orgId, id, 2);
  expect(await house.keep('reconcile-webhooks')).toEqual({ looked: 0, done: 0 });
});

test('an attempt that a crash cut off while its webhook was being disabled does not stay Pending for ever', async () => {
  const id = await cutOff();
  await withOrg(orgId, (tx) => webhookStore.update(tx, webhookId, { status: 'Disabled' }));
  await olderBy('16 minutes');
  // Its event still waits for the relay, which would send it again if the webhook wanted it.
  expect(await house.keep('reconcile-webhooks')).toEqual({ looked: 0, done: 0 });
  await relayed();
  expect(await house.keep('reconcile-webhooks')).toEqual({ looked: 1, done: 1 });
  expect(await rows()).toMatchObject([{ id, status: 'Interrupted', deliveryFailed: true, nextAttemptDate: null }]);
  expect(await house.starts(orgId)).toEqual({});
  expect(house.lines()).toEqual(['warn: a webhook delivery without a result was closed: nobody is left to make it']);
});

test('an attempt that is being made is left alone', async () => {
  await cutOff();
  await relayed();
  await olderBy('14 minutes');
  expect(await house.keep('reconcile-webhooks')).toEqual({ looked: 0, done: 0 });
});

test('a retry that a crash cut off with its workflow is made again by a new one', async () => {
  const id = await failed();
  const [first] = await rows();
  const event = { id: first?.eventId ?? '', kind: 'wallet.created' } as const;
  await withOrg(orgId, (tx) => webhookEventStore.begin(tx, [{ webhookId, event, number: 2, firstId: id }]));
  await olderBy('17 minutes');
  expect(await house.keep('reconcile-webhooks')).toEqual({ looked: 1, done: 1 });
  expect(Object.keys(await house.starts(orgId))).toEqual([id]);
});

test('a retry of a delivery that is not kept any more is given up', async () => {
  const id = await failed();
  await localDeliverer(house.database).retry(orgId, id, 2);
  await house.upset('DELETE FROM webhook_events WHERE id = $1', [id]);
  await olderBy('32 days');
  expect(await localDeliverer(house.database).retry(orgId, id, 3)).toBe('Stopped');
  expect(await house.keep('reconcile-webhooks')).toEqual({ looked: 1, done: 1 });
  expect(await rows()).toMatchObject([{ deliveryFailed: true, nextAttemptDate: null, deliveryAttempt: 2 }]);
  expect(await house.keep('reconcile-webhooks')).toEqual({ looked: 0, done: 0 });
});
