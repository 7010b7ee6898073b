import { tokenAfter } from '../../../api/http/pagination';
import { createSequencer } from '../../../application/feed/sequencer';
import { eventStore } from '../../../entities/events/event.store';
import { feedStore } from '../../../entities/feed/feed.store';
import { startWebhookApi, type WebhookApi } from '../../support/webhook-api';

let hooks: WebhookApi;
beforeAll(async () => {
  hooks = await startWebhookApi();
});
afterAll(() => hooks?.close());

type Page = { readonly items: readonly { readonly sequence: number }[]; readonly nextPageToken?: string };
const PATH = '/events/checkpoints';

async function withCheckpoints() {
  const admin = await hooks.admin();
  await hooks.db.withOrg(admin.orgId, (tx) =>
    eventStore.emit(tx, { kind: 'key.created', aggregateId: 'key-1', aggregateVersion: 1, data: {} }),
  );
  await createSequencer(hooks.db).numberAll(admin.orgId);
  for (const sequence of [1, 9, 10]) {
    const checkpoint = { sequence, statement: `statement ${sequence}`, signature: `signature ${sequence}` };
    await hooks.db.withOrg(admin.orgId, (tx) => feedStore.addCheckpoint(tx, checkpoint));
  }
  return admin;
}

test('200: the checkpoints, newest first, each on exactly one page, and the feed shows the newest checkpoint', async () => {
  const { client } = await withCheckpoints();
  const page = (await client.get(`${PATH}?limit=2`)).body as Page;
  expect(page.items).toEqual([
    { sequence: 10, statement: 'statement 10', signature: 'signature 10' },
    { sequence: 9, statement: 'statement 9', signature: 'signature 9' },
  ]);
  const next = (await client.get(`${PATH}?limit=2&paginationToken=${page.nextPageToken}`)).body as Page;
  expect([next.items.map(({ sequence }) => sequence), next.nextPageToken]).toEqual([[1], undefined]);
  expect((await client.get('/events')).body).toMatchObject({ head: { checkpoint: page.items[0] } });
});

test.each(['x', tokenAfter('x'), tokenAfter('0'), tokenAfter('1.5'), tokenAfter('-1')])(
  '400: %s does not belong to this list',
  async (token) => {
    const { client } = await hooks.admin();
    expect(await client.get(`${PATH}?paginationToken=${token}`)).toMatchObject({
      status: 400,
      body: { error: { id: 'InvalidPaginationToken' } },
    });
  },
);

test('403: without Events:Read', async () => {
  const { orgId } = await hooks.admin();
  const reader = await hooks.colleague(orgId, ['Webhooks:Events:Read']);
  expect((await reader.client.get(PATH)).status).toBe(403);
});
