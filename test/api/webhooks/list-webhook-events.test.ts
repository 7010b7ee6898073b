import { startWebhookApi, UNKNOWN_WEBHOOK, type WebhookApi } from '../../support/webhook-api';

let hooks: WebhookApi;
beforeAll(async () => {
  hooks = await startWebhookApi();
});
afterAll(() => hooks.close());
type Page = { items: { id: string; kind: string; deliveryFailed: boolean }[]; nextPageToken?: string };

async function withEvents() {
  const admin = await hooks.admin();
  const { id } = await hooks.create(admin);
  const other = await hooks.create(admin);
  const events = [
    await hooks.attempt(admin.orgId, id, 'wallet.created', false),
    await hooks.attempt(admin.orgId, id, 'key.created', true),
    await hooks.attempt(admin.orgId, id, 'wallet.created', true),
  ];
  await hooks.attempt(admin.orgId, other.id, 'wallet.created', true);
  return { admin, path: `/webhooks/${id}/events`, events };
}
const idsOf = (body: unknown) => (body as Page).items.map(({ id }) => id);

test('200: only the attempts of this webhook, newest first, each on exactly one page', async () => {
  const { admin, path, events } = await withEvents();
  const page = (await admin.client.get(`${path}?limit=2`)).body as Page;
  const next = (await admin.client.get(`${path}?limit=2&paginationToken=${encodeURIComponent(page.nextPageToken ?? '')}`))
    .body as Page;
  expect([...idsOf(page), ...idsOf(next)]).toEqual([...events].reverse());
  expect(next.nextPageToken).toBeUndefined();
});

test('200: kind and deliveryFailed filter the list, separately and together', async () => {
  const { admin, path, events } = await withEvents();
  const [ok, failedKey, failed] = events;
  expect(idsOf((await admin.client.get(`${path}?kind=wallet.created`)).body)).toEqual([failed, ok]);
  expect(idsOf((await admin.client.get(`${path}?deliveryFailed=true`)).body)).toEqual([failed, failedKey]);
  expect(idsOf((await admin.client.get(`${path}?deliveryFailed=false`)).body)).toEqual([ok]);
  expect(idsOf((await admin.client.get(`${path}?deliveryFailed=true&kind=wallet.created`)).body)).toEqual([failed]);
  expect(idsOf((await admin.client.get(`${path}?kind=swap.failed`)).body)).toEqual([]);
});

test.each(['kind=*', 'kind=nothing', 'deliveryFailed=yes', 'limit=0'])('400: %s is refused', async (query) => {
  const { admin, path } = await withEvents();
  expect((await admin.client.get(`${path}?${query}`)).status).toBe(400);
});

test('403: without Webhooks:Events:Read; 404: for a webhook that is unknown or belongs to another organisation', async () => {
  const { admin, path } = await withEvents();
  const reader = await hooks.colleague(admin.orgId, ['Webhooks:Read']);
  expect((await reader.client.get(path)).status).toBe(403);
  const stranger = await hooks.admin();
  expect((await stranger.client.get(path)).status).toBe(404);
  expect((await stranger.client.get(`/webhooks/${UNKNOWN_WEBHOOK}/events`)).status).toBe(404);
});
