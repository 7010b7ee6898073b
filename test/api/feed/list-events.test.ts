import { createSequencer } from '../../../application/feed/sequencer';
import { eventStore } from '../../../entities/events/event.store';
import { CHAIN_START, chainCursor, type FeedItem, followFeed } from '../../../platform/hash-chain';
import { type Person, startApi } from '../../support/api';
import { startWebhookApi, type WebhookApi } from '../../support/webhook-api';

/** Shorter than the time for which a stopping process waits for open requests. */
const STOP_LIMIT_MS = 8_000;

let hooks: WebhookApi;
beforeAll(async () => {
  hooks = await startWebhookApi();
});
afterAll(() => hooks?.close());

type Page = {
  readonly items: readonly FeedItem[];
  readonly nextCursor: string;
  readonly head: { readonly sequence: number; readonly hash: string; readonly date?: string };
};
const read = async ({ client }: Person, query = '') => {
  const answer = await client.get(`/events${query}`);
  return { ...answer, body: answer.body as Page };
};

/** An organisation with this number of events in its feed, in addition to the events from the creation of its people. */
async function withEvents(count: number) {
  const admin = await hooks.admin();
  const { orgId } = admin;
  for (let n = 1; n <= count; n += 1) {
    const event = { kind: 'wallet.created', aggregateId: 'wa-1', aggregateVersion: n, data: { n, price: 0.1 } } as const;
    await hooks.db.withOrg(orgId, (tx) => eventStore.emit(tx, event));
  }
  await createSequencer(hooks.db).numberAll(orgId);
  return admin;
}

test('200: the pages list every event once and in order, and the hash chain verifies up to its head', async () => {
  const admin = await withEvents(7);
  const items: FeedItem[] = [];
  let [cursor, page] = ['', (await read(admin, '?limit=3')).body];
  while (page.items.length > 0) {
    expect(page.items.length).toBeLessThanOrEqual(3);
    items.push(...page.items);
    cursor = page.nextCursor;
    page = (await read(admin, `?limit=3&after=${cursor}`)).body;
  }
  const head = followFeed(admin.orgId, CHAIN_START, items);
  expect(page.head).toMatchObject(head);
  expect(page).toMatchObject({ items: [], nextCursor: cursor, head: { sequence: items.length } });
  const ours = items.filter(({ event }) => event.kind === 'wallet.created');
  expect(ours.map(({ event }) => [event.version, event.data])).toEqual([1, 2, 3, 4, 5, 6, 7].map((n) => [n, { n, price: 0.1 }]));
});

test('200: an event that has no place in the hash chain yet is not shown, and an empty feed has the head 0', async () => {
  const admin = await hooks.admin();
  await hooks.db.withOrg(admin.orgId, (tx) =>
    eventStore.emit(tx, { kind: 'key.created', aggregateId: 'key-1', aggregateVersion: 1, data: {} }),
  );
  await hooks.api.database.arrange('DELETE FROM feed_entries WHERE org_id = $1', [admin.orgId]);
  await hooks.api.database.arrange('DELETE FROM feed_heads WHERE org_id = $1', [admin.orgId]);
  const { status, body } = await read(admin);
  expect([status, body]).toEqual([200, { items: [], nextCursor: chainCursor(CHAIN_START), head: CHAIN_START }]);
  expect((await read(admin, `?after=${chainCursor(CHAIN_START)}`)).status).toBe(200);
});

/** Opens the feed as server-sent events. `until` reads until the stream has this number of frames with data. */
async function stream({ client }: Person, query = '', headers: Readonly<Record<string, string>> = {}) {
  const leaving = new AbortController();
  const response = await fetch(`${client.baseUrl}/events${query}`, {
    headers: { authorization: `Bearer ${client.identity.token}`, accept: 'text/event-stream', ...headers },
    signal: leaving.signal,
  });
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  const frames = () =>
    text
      .split('\n\n')
      .slice(0, -1)
      .filter((frame) => frame.startsWith('id: '));
  return {
    response,
    until: async (count: number): Promise<readonly FeedItem[]> => {
      while (frames().length < count) text += (await reader?.read())?.value ?? '';
      return frames().map((frame) => JSON.parse(frame.replace(/^id: .*\ndata: /, '')) as FeedItem);
    },
    ended: async (): Promise<void> => {
      while ((await reader?.read())?.done === false);
    },
    leave: () => leaving.abort(),
  };
}

test('200: server-sent events start at the cursor and then include each new event', async () => {
  const admin = await withEvents(3);
  const { items } = (await read(admin)).body;
  const [first] = items;
  const opened = await stream(admin, `?after=${chainCursor(first ?? CHAIN_START)}`);
  expect(opened.response.headers.get('content-type')).toMatch(/^text\/event-stream/);
  expect(opened.response.headers.get('cache-control')).toBe('no-store');
  expect(await opened.until(items.length - 1)).toEqual(items.slice(1));
  await hooks.db.withOrg(admin.orgId, (tx) =>
    eventStore.emit(tx, { kind: 'key.created', aggregateId: 'key-1', aggregateVersion: 1, data: {} }),
  );
  await createSequencer(hooks.db).numberAll(admin.orgId);
  const all = await opened.until(items.length);
  opened.leave();
  expect(followFeed(admin.orgId, first ?? CHAIN_START, all)).toMatchObject({ sequence: items.length + 1 });
});

test('200: the header Last-Event-ID of a reader that reconnects takes precedence over its first cursor', async () => {
  const admin = await withEvents(3);
  const { items } = (await read(admin)).body;
  const id = chainCursor(items[1] ?? CHAIN_START);
  const opened = await stream(admin, `?after=${chainCursor(CHAIN_START)}`, { 'last-event-id': id });
  expect((await opened.until(1))[0]).toEqual(items[2]);
  opened.leave();
});

test('200: a caller that also accepts JSON gets JSON', async () => {
  const admin = await withEvents(1);
  const { response, leave } = await stream(admin, '', { accept: 'application/json, text/event-stream' });
  leave();
  expect(response.headers.get('content-type')).toMatch(/^application\/json/);
});

test('200: a process that stops ends its streams, and does not wait for their readers', async () => {
  const own = await startApi({ own: 'This file stops the process' });
  const person = await own.createPerson(await own.createOrganization());
  const opened = await stream(person);
  const ended = opened.ended();
  const started = performance.now();
  expect(await own.stop()).toBe(0);
  await ended;
  expect(performance.now() - started).toBeLessThan(STOP_LIMIT_MS);
  await own.close();
});

test('400 and 409: a request for a stream fails for the same reasons as a request for a page', async () => {
  const admin = await withEvents(1);
  const statusOf = async (query: string, headers: Readonly<Record<string, string>>) => {
    const { response, leave } = await stream(admin, query, headers);
    leave();
    return response.status;
  };
  expect(await statusOf('', { 'last-event-id': '1' })).toBe(400);
  expect(await statusOf('?after=1', {})).toBe(400);
  expect(await statusOf('', { 'last-event-id': `1-${'00'.repeat(32)}` })).toBe(409);
});

test.each([
  'after=',
  'after=1',
  `after=-1-${'00'.repeat(32)}`,
  `after=01-${'00'.repeat(32)}`,
  `after=1-${'0g'.repeat(32)}`,
  `after=1-${'AB'.repeat(32)}`,
  `after=9999999999999999-${'00'.repeat(32)}`,
])('400: %s is not a cursor', async (query) => {
  const admin = await hooks.admin();
  expect(await read(admin, `?${query}`)).toMatchObject({
    status: 400,
    body: { error: { id: 'InvalidCursor', details: { issues: [{ path: 'query.after' }] } } },
  });
});

test.each(['limit=0', 'limit=501', 'before=1'])('400: %s is refused', async (query) => {
  const admin = await hooks.admin();
  expect(await read(admin, `?${query}`)).toMatchObject({ status: 400, body: { error: { id: 'InvalidRequest' } } });
});

test('409: an altered cursor, the cursor of another organisation, and a cursor from before the history was rewritten', async () => {
  const [admin, stranger] = [await withEvents(3), await withEvents(3)];
  const [, second] = (await read(admin)).body.items;
  const cursor = chainCursor(second ?? CHAIN_START);
  const other = cursor.replace(/.$/, (digit) => (digit === '0' ? '1' : '0'));
  const begun = cursor.replace(/^\d+/, '0');
  for (const [person, after] of [
    [admin, other],
    [admin, begun],
    [stranger, cursor],
  ] as const) {
    expect(await read(person, `?after=${after}`)).toMatchObject({
      status: 409,
      body: { error: { id: 'CursorOfAnotherFeed', details: { sequence: Number(after.split('-')[0]) } } },
    });
  }
  await hooks.api.database.arrange(`UPDATE feed_entries SET hash = sha256('x') WHERE org_id = $1 AND sequence = 2`, [
    admin.orgId,
  ]);
  expect((await read(admin, `?after=${cursor}`)).status).toBe(409);
});

test('404: a cursor beyond the head', async () => {
  const admin = await withEvents(2);
  const { head } = (await read(admin)).body;
  const after = chainCursor({ ...head, sequence: head.sequence + 1 });
  expect(await read(admin, `?after=${after}`)).toMatchObject({
    status: 404,
    body: { error: { id: 'CursorBeyondFeed', details: { sequence: head.sequence } } },
  });
});

test('403: without Events:Read', async () => {
  const admin = await hooks.admin();
  const reader = await hooks.colleague(admin.orgId, ['Webhooks:Events:Read']);
  expect((await read(reader)).status).toBe(403);
  const allowed = await hooks.colleague(admin.orgId, ['Events:Read']);
  expect((await read(allowed)).status).toBe(200);
});
