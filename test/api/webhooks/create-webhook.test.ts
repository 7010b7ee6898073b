import { EVENT_KINDS } from '../../../domain/events';
import { WebhookEntity } from '../../../entities/webhooks/webhook.entity';
import { firstIssue } from '../../support/policy-api';
import { startWebhookApi, type WebhookApi } from '../../support/webhook-api';

let hooks: WebhookApi;
beforeAll(async () => {
  hooks = await startWebhookApi();
});
afterAll(() => hooks.close());

const VALID = { url: 'https://example.com/hook', events: ['wallet.created', 'wallet.transfer.confirmed'] };

test('200: the answer contains the webhook with its secret; the row contains the secret sealed, and no later answer shows it', async () => {
  const { client, orgId } = await hooks.admin();
  const { status, body } = await client.change('POST', '/webhooks', { ...VALID, description: 'Accounting' });
  expect(status).toBe(200);
  const { secret, ...webhook } = body as { id: string; secret: string };
  const date = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  const id = expect.stringMatching(/^wh-[a-z0-9]{5}-[a-z0-9]{5}-[a-z0-9]{14,16}$/);
  expect(webhook).toEqual({ id, ...VALID, status: 'Enabled', description: 'Accounting', dateCreated: date, dateUpdated: date });
  expect(secret).toMatch(/^whs-[A-Za-z0-9_-]{43}$/);
  const row = await hooks.db.read(orgId).row(WebhookEntity, 'WHERE t.id = $1', [webhook.id]);
  expect(row?.sealedSecret).not.toContain(secret);
  expect(hooks.secretOf(orgId, webhook.id, row?.sealedSecret ?? '')).toBe(secret);
  expect((await client.get(`/webhooks/${webhook.id}`)).body).toEqual(webhook);
});

test('200: a trial installation accepts http and loopback addresses, because each delivery checks the target', async () => {
  const admin = await hooks.admin();
  expect(await hooks.create(admin, { url: 'http://127.0.0.1:9/hook', status: 'Disabled' })).toMatchObject({ status: 'Disabled' });
});

test.each([
  [{ ...VALID, url: 'ftp://example.com' }, 'body.url'],
  [{ ...VALID, url: 'https://' }, 'body.url'],
  [{ ...VALID, url: 'example.com' }, 'body.url'],
  [{ ...VALID, url: `https://example.com/${'a'.repeat(2_048)}` }, 'body.url'],
  [{ ...VALID, url: 7 }, 'body.url'],
  [{ ...VALID, events: [] }, 'body.events'],
  [{ ...VALID, events: ['wallet.exploded'] }, 'body.events.0'],
  [{ ...VALID, events: '*' }, 'body.events'],
  [{ ...VALID, status: 'enabled' }, 'body.status'],
  [{ ...VALID, description: 'd'.repeat(257) }, 'body.description'],
  [{ ...VALID, secret: 'whs-mine' }, 'body.secret'],
  [{ url: VALID.url }, 'body.events'],
  [{ events: ['*'] }, 'body.url'],
])('400: for %j, the error contains the path of the fault', async (body, path) => {
  const { client, orgId } = await hooks.admin();
  const answer = await client.change('POST', '/webhooks', body);
  expect(answer.status).toBe(400);
  expect(firstIssue(answer.body)).toBe(path);
  expect(await hooks.db.read(orgId).rows(WebhookEntity, '')).toEqual([]);
});

test.each(['https://10.0.0.1/', 'https://[fd00::1]/', 'http://169.254.169.254/latest', 'https://user:word@example.com/'])(
  '400: the address %s, which no setting can ever allow',
  async (url) => {
    const { status, body } = await (await hooks.admin()).client.change('POST', '/webhooks', { ...VALID, url });
    expect(status).toBe(400);
    expect(body).toMatchObject({ error: { id: 'WebhookTargetRefused' } });
  },
);

test('400: ten webhooks are created at once and five succeed; after a deletion another can be created', async () => {
  const admin = await hooks.admin();
  const answers = await Promise.all(Array.from({ length: 10 }, () => admin.client.change('POST', '/webhooks', VALID)));
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(5);
  const refused = answers.filter(({ status }) => status === 400);
  expect(refused).toHaveLength(5);
  expect(refused[0]?.body).toMatchObject({ error: { id: 'WebhookLimitReached', details: { limit: 5 } } });
  const [made] = ((await admin.client.get('/webhooks')).body as { items: { id: string }[] }).items;
  await admin.client.change('DELETE', `/webhooks/${made?.id}`);
  await hooks.create(admin);
});

test('200: a header lists the subscribed kinds of events that the service never emits', async () => {
  const { client } = await hooks.admin();
  const warningOf = async (method: 'POST' | 'PUT', path: string, body: object) => {
    const { status, headers, body: answer } = await client.change(method, path, body);
    return { status, warning: headers.get('strongroom-warning'), id: (answer as { id: string }).id };
  };
  const silent = ['swap.failed', 'wallet.created', 'wallet.activated', 'webhook.event.retry.triggered', 'swap.failed', '*'];
  const made = await warningOf('POST', '/webhooks', { ...VALID, events: silent });
  expect(made).toMatchObject({ status: 200, warning: 'EventsNotProduced: swap.failed wallet.activated' });
  const path = `/webhooks/${made.id}`;
  expect(await warningOf('PUT', path, { description: 'kept' })).toMatchObject({ status: 200, warning: null });
  expect(await warningOf('PUT', path, { events: ['vault.created'] })).toMatchObject({
    status: 200,
    warning: 'EventsNotProduced: vault.created',
  });
  expect(await warningOf('PUT', path, { events: [...EVENT_KINDS] })).toMatchObject({ status: 200, warning: null });
});

test('403: without Webhooks:Create, and without a user action', async () => {
  const { client, orgId } = await hooks.admin();
  const reader = await hooks.colleague(orgId, ['Webhooks:Read']);
  expect((await reader.client.change('POST', '/webhooks', VALID)).status).toBe(403);
  expect((await client.post('/webhooks', VALID)).status).toBe(403);
});
