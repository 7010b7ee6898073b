import { firstIssue } from '../../support/policy-api';
import { startWebhookApi, UNKNOWN_WEBHOOK, type WebhookApi } from '../../support/webhook-api';

let hooks: WebhookApi;
beforeAll(async () => {
  hooks = await startWebhookApi();
});
afterAll(() => hooks.close());
test('200: only the sent members change, and the secret stays', async () => {
  const admin = await hooks.admin();
  const { secret: _secret, ...before } = await hooks.create(admin, { description: 'Before', events: ['key.created'] });
  const path = `/webhooks/${before.id}`;
  const disabled = await admin.client.change('PUT', path, { status: 'Disabled' });
  expect(disabled.status).toBe(200);
  expect(disabled.body).toEqual({ ...before, status: 'Disabled', dateUpdated: expect.any(String) });
  const set = { url: 'https://example.org/', description: 'After', events: ['*'], status: 'Enabled' };
  const changed = (await admin.client.change('PUT', path, set)).body as { dateUpdated: string };
  expect(changed).toMatchObject({ ...set, id: before.id, dateCreated: before['dateCreated'] });
  expect(changed.dateUpdated > String(before['dateUpdated'])).toBe(true);
  expect((await admin.client.change('PUT', path, {})).body).toMatchObject(set);
});

test.each([
  [{ url: 'gopher://example.com' }, 'body.url'],
  [{ events: [] }, 'body.events'],
  [{ status: null }, 'body.status'],
  [{ id: 'wh-1' }, 'body.id'],
])('400: for %j, the error contains the path of the fault', async (body, path) => {
  const admin = await hooks.admin();
  const { id } = await hooks.create(admin);
  const answer = await admin.client.change('PUT', `/webhooks/${id}`, body);
  expect(answer.status).toBe(400);
  expect(firstIssue(answer.body)).toBe(path);
});

test('400: the new address is private, and the webhook keeps its former address', async () => {
  const admin = await hooks.admin();
  const { id } = await hooks.create(admin);
  const { status, body } = await admin.client.change('PUT', `/webhooks/${id}`, { url: 'https://192.168.1.1/' });
  expect(status).toBe(400);
  expect(body).toMatchObject({ error: { id: 'WebhookTargetRefused' } });
  expect((await admin.client.get(`/webhooks/${id}`)).body).toMatchObject({ url: 'https://example.com/hook' });
});

test('404: a webhook that is unknown or belongs to another organisation', async () => {
  const admin = await hooks.admin();
  const foreign = await hooks.create(await hooks.admin());
  for (const id of [UNKNOWN_WEBHOOK, foreign.id]) {
    expect((await admin.client.change('PUT', `/webhooks/${id}`, { status: 'Disabled' })).status).toBe(404);
  }
});
