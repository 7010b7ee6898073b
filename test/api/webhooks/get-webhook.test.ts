import { startWebhookApi, UNKNOWN_WEBHOOK, type WebhookApi } from '../../support/webhook-api';

let hooks: WebhookApi;
beforeAll(async () => {
  hooks = await startWebhookApi();
});
afterAll(() => hooks.close());
test('200: the answer is the webhook as it was created, without its secret', async () => {
  const admin = await hooks.admin();
  const { secret, ...webhook } = await hooks.create(admin, { description: 'Mine' });
  const { status, body } = await admin.client.get(`/webhooks/${webhook.id}`);
  expect(status).toBe(200);
  expect(body).toEqual(webhook);
  expect(JSON.stringify(body)).not.toContain(secret);
});

test('404: an unknown id, a malformed id and a webhook of another organisation get the same answer', async () => {
  const admin = await hooks.admin();
  const foreign = await hooks.create(await hooks.admin());
  for (const id of [UNKNOWN_WEBHOOK, 'nonsense', '%00', foreign.id]) {
    const { status, body } = await admin.client.get(`/webhooks/${id}`);
    expect([id, status]).toEqual([id, id === '%00' ? 400 : 404]);
    if (id !== '%00')
      expect(body).toMatchObject({ error: { id: 'NotFound', message: 'webhook not found', details: { webhookId: id } } });
  }
});
