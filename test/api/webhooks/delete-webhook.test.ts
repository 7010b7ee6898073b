import { startWebhookApi, UNKNOWN_WEBHOOK, type WebhookApi } from '../../support/webhook-api';

let hooks: WebhookApi;
beforeAll(async () => {
  hooks = await startWebhookApi();
});
afterAll(() => hooks.close());
test('200: the answer reports the deletion, and from then on the webhook and its events are not found', async () => {
  const admin = await hooks.admin();
  const { id } = await hooks.create(admin);
  const eventId = await hooks.attempt(admin.orgId, id, 'wallet.created', false);
  const { status, body } = await admin.client.change('DELETE', `/webhooks/${id}`);
  expect(status).toBe(200);
  expect(body).toEqual({ deleted: true });
  for (const path of ['', '/events', `/events/${eventId}`])
    expect((await admin.client.get(`/webhooks/${id}${path}`)).status).toBe(404);
});

test('404: a webhook that is deleted, is unknown or belongs to another organisation; the last of these stays', async () => {
  const [admin, stranger] = [await hooks.admin(), await hooks.admin()];
  const [own, foreign] = [await hooks.create(admin), await hooks.create(stranger)];
  await admin.client.change('DELETE', `/webhooks/${own.id}`);
  for (const id of [own.id, UNKNOWN_WEBHOOK, foreign.id]) {
    expect((await admin.client.change('DELETE', `/webhooks/${id}`)).status).toBe(404);
  }
  expect((await stranger.client.get(`/webhooks/${foreign.id}`)).status).toBe(200);
});

test('403: without a user action, and nothing is deleted', async () => {
  const admin = await hooks.admin();
  const { id } = await hooks.create(admin);
  expect((await admin.client.send({ method: 'DELETE', path: `/webhooks/${id}`, text: '{}' })).status).toBe(403);
  expect((await admin.client.get(`/webhooks/${id}`)).status).toBe(200);
});
