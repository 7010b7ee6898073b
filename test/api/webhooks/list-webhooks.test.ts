import { startWebhookApi, type WebhookApi } from '../../support/webhook-api';

let hooks: WebhookApi;
beforeAll(async () => {
  hooks = await startWebhookApi();
});
afterAll(() => hooks.close());

test("200: the organisation's webhooks that are not deleted, each on exactly one page, newest first, without secrets", async () => {
  const admin = await hooks.admin();
  const ids: string[] = [];
  for (let index = 0; index < 4; index += 1) ids.push((await hooks.create(admin)).id);
  await hooks.create(await hooks.admin());
  const [first, ...left] = ids;
  await admin.client.change('DELETE', `/webhooks/${first}`);
  const page = (await admin.client.get('/webhooks?limit=2')).body as { items: object[]; nextPageToken: string };
  const next = (await admin.client.get(`/webhooks?limit=2&paginationToken=${encodeURIComponent(page.nextPageToken)}`)).body as {
    items: object[];
  };
  expect([...page.items, ...next.items].map((item) => (item as { id: string }).id)).toEqual(left.reverse());
  expect(next).not.toHaveProperty('nextPageToken');
  expect(JSON.stringify([page, next])).not.toContain('whs-');
});

test('400: a limit of 501, and a page token that is not valid', async () => {
  const { client } = await hooks.admin();
  expect((await client.get('/webhooks?limit=501')).status).toBe(400);
  expect((await client.get('/webhooks?paginationToken=zzz')).status).toBe(400);
});

test('403: without Webhooks:Read', async () => {
  const { orgId } = await hooks.admin();
  expect((await (await hooks.colleague(orgId, ['Wallets:Read'])).client.get('/webhooks')).status).toBe(403);
});
