import { startWebhookApi, type WebhookApi } from '../../support/webhook-api';

let hooks: WebhookApi;
beforeAll(async () => {
  hooks = await startWebhookApi();
});
afterAll(() => hooks.close());

test('200: a failed attempt is shown with its reason and the time of the next attempt', async () => {
  const admin = await hooks.admin();
  const { id } = await hooks.create(admin);
  const eventId = await hooks.attempt(admin.orgId, id, 'wallet.created', true);
  const { status, body } = await admin.client.get(`/webhooks/${id}/events/${eventId}`);
  expect(status).toBe(200);
  expect(body).toEqual({
    id: eventId,
    date: expect.stringMatching(/Z$/),
    kind: 'wallet.created',
    data: { some: 'data' },
    status: '500',
    error: 'the receiver answered 500',
    timestampSent: expect.any(Number),
    deliveryFailed: true,
    deliveryAttempt: 1,
    nextAttemptDate: '2030-01-01T00:01:00.000Z',
  });
});

test('404: an event of another webhook, an unknown id and a malformed id', async () => {
  const admin = await hooks.admin();
  const [one, two] = [await hooks.create(admin), await hooks.create(admin)];
  const eventId = await hooks.attempt(admin.orgId, one.id, 'wallet.created', true);
  for (const id of [eventId, 'whe-01abc-01abc-0123456789abcdef', 'nonsense']) {
    const { status, body } = await admin.client.get(`/webhooks/${two.id}/events/${id}`);
    expect(status).toBe(404);
    expect(body).toMatchObject({ error: { message: 'webhook event not found' } });
  }
});
