import { ACTIVITY_EVENTS_MAX } from '../../../application/feed/activities';
import { eventStore } from '../../../entities/events/event.store';
import { newId } from '../../../platform/ids';
import type { Person } from '../../support/api';
import { cutOff, exported, tokenOf, withoutToken } from '../../support/exports';
import { asSuperuser } from '../../support/roles';
import { faultAt, refusal } from '../../support/wallet-api';
import { startWebhookApi, type WebhookApi } from '../../support/webhook-api';

const PATH = '/activities/export';
const COLUMNS = 'date,id,kind,recordId,version,data';
const HEADER = `${COLUMNS},paginationToken`;
const ALL = { startTime: '2026-03-01T00:00:00Z', endTime: '2026-03-02T00:00:00Z' };

let hooks: WebhookApi;
beforeAll(async () => {
  hooks = await startWebhookApi();
});
afterAll(() => hooks?.close());

/** Writes events with these bodies, one hour apart. The first event is at the start of the period. */
async function withEvents(...bodies: readonly object[]) {
  const admin = await hooks.admin();
  const ids = bodies.map(() => newId('event'));
  for (const [hour, data] of bodies.entries()) {
    await hooks.api.database.arrange(
      `INSERT INTO events (org_id, id, kind, aggregate_id, aggregate_version, data, date_created)
       VALUES ($1, $2, 'wallet.created', 'wa-1', $3::integer, $4, $5::timestamptz + ($3::integer - 1) * interval '1 hour')`,
      [admin.orgId, ids[hour], hour + 1, JSON.stringify(data), ALL.startTime],
    );
  }
  return { admin, ids };
}

type Page = { readonly orgId: string; readonly items: readonly { readonly id: string }[]; readonly nextPageToken?: string };

async function ask({ client }: Pick<Person, 'client'>, query: Readonly<Record<string, string>> = ALL, accept = 'text/csv') {
  const response = await fetch(`${client.baseUrl}${PATH}?${new URLSearchParams(query)}`, {
    headers: { authorization: `Bearer ${client.identity.token}`, accept },
  });
  const text = await response.text();
  return { status: response.status, headers: response.headers, text, lines: text.trimEnd().split('\n') };
}
const page = async (person: Person, query: Readonly<Record<string, string>> = ALL) =>
  JSON.parse((await ask(person, query, 'application/json')).text) as Page;

test('200: JSON contains each event of the period with its record, oldest first, including both ends of the period', async () => {
  const { admin, ids } = await withEvents({ a: 1 }, { b: '2' }, { c: null });
  const { orgId, items } = await page(admin);
  expect([orgId, items.map(({ id }) => id)]).toEqual([admin.orgId, ids]);
  expect(items[1]).toEqual({
    ...{ id: ids[1], kind: 'wallet.created', date: '2026-03-01T01:00:00.000Z', data: { b: '2' }, version: 2 },
    recordId: 'wa-1',
  });
  const within = (startTime: string, endTime: string) => page(admin, { startTime, endTime }).then((found) => found.items.length);
  expect(await within('2026-03-01T00:00:00Z', '2026-03-01T02:00:00Z')).toBe(3);
  expect(await within('2026-03-01T00:00:00.001Z', '2026-03-01T01:59:59.999Z')).toBe(1);
  expect(await within('0001-01-01T00:00:00Z', '2026-03-02T00:00:00Z')).toBe(3);
  expect(await within('2026-03-01T00:00:00Z', '9999-12-31T23:59:59.999Z')).toBe(3);
});

test('200: pages of JSON follow each other without gaps or duplicates', async () => {
  const { admin, ids } = await withEvents({}, {}, {}, {}, {});
  await hooks.api.database.arrange('UPDATE events SET date_created = $2 WHERE org_id = $1', [admin.orgId, ALL.endTime]);
  const seen: string[] = [];
  for (let token: string | undefined, more = true; more; more = token !== undefined) {
    const found = await page(admin, { ...ALL, limit: '2', ...(token === undefined ? {} : { paginationToken: token }) });
    seen.push(...found.items.map(({ id }) => id));
    token = found.nextPageToken;
  }
  expect(seen.filter((id) => ids.includes(id))).toEqual([...ids].sort());
  expect(new Set(seen).size).toBe(seen.length);
});

test('200: CSV contains one line per event, with the event’s body as JSON', async () => {
  const { admin, ids } = await withEvents({ name: '=cmd()', quoted: '"' });
  const { headers, lines } = await ask(admin);
  expect([headers.get('content-type'), headers.has('x-svc-result-truncated')]).toEqual(['text/csv; charset=utf-8', false]);
  const body = '"{""name"":""=cmd()"",""quoted"":""\\""""}"';
  expect(lines[0]).toBe(HEADER);
  expect(lines.slice(1).map(withoutToken)).toEqual([`2026-03-01T00:00:00.000Z,${ids[0]},wallet.created,wa-1,1,${body}`]);
  expect(headers.get('strongroom-rows')).toBe('1');
});

/** Writes events one millisecond apart. The first event is one millisecond after the start of the period. */
const many = (orgId: string, count: number) =>
  asSuperuser(
    (superuser) =>
      superuser.query(
        `INSERT INTO events (org_id, id, kind, aggregate_id, aggregate_version, data, date_created)
         SELECT $1, 'ev-00000-00000-' || lpad(n::text, 14, '0'), 'wallet.created', 'wa-1', n, '{}', $2::timestamptz + n * interval '1 millisecond'
         FROM generate_series(1, $3) n`,
        [orgId, ALL.startTime, count],
      ),
    hooks.api.database.name,
  );

test('200: an export of exactly the allowed number of events is complete; a longer export is cut off and reports this', async () => {
  const admin = await hooks.admin();
  await many(admin.orgId, ACTIVITY_EVENTS_MAX + 1);
  const whole = await ask(admin, { ...ALL, startTime: '2026-03-01T00:00:00.002Z' });
  expect([whole.headers.has('x-svc-result-truncated'), whole.headers.get('strongroom-rows')]).toEqual([false, '50000']);
  expect(new Set(whole.lines).size).toBe(50_001);
  const cut = await ask(admin);
  expect([cut.headers.get('x-svc-result-truncated'), cut.headers.get('strongroom-rows')]).toEqual(['true', '50000']);
  expect(cut.lines).toHaveLength(50_002);
  expect(cut.lines.at(-1)).toBe('# TRUNCATED: the period has more than 50000 entries');
  expect(cut.lines.at(-2)).toContain(',ev-00000-00000-00000000050000,');

  const end = await ask(admin, { ...ALL, paginationToken: tokenOf(cut.lines.at(-2) ?? '') });
  expect([end.lines, end.headers.get('strongroom-rows')]).toEqual([cut.lines.slice(-1), '0']);
  const last = await ask(admin, { ...ALL, paginationToken: tokenOf(cut.lines.at(-3) ?? '') });
  expect(last.lines).toEqual(cut.lines.slice(-2));
});

test('200: CSV that was cut off can be continued after any line, without gaps or duplicates, while events are added', async () => {
  const admin = await hooks.admin();
  await many(admin.orgId, 5_000);
  const urlOf = (query: object) => `${admin.client.baseUrl}${PATH}?${new URLSearchParams({ ...ALL, ...query })}`;
  const { token } = admin.client.identity;
  const query = { endTime: '9999-12-31T00:00:00Z' };
  const whole = (await exported(urlOf(query), token)).lines.slice(1);

  const first = (await cutOff(urlOf(query), token, 400_000)).slice(1);
  expect(first.length).toBeGreaterThan(1_000);
  expect(first.length).toBeLessThan(5_000);
  await hooks.db.withOrg(admin.orgId, (tx) =>
    eventStore.emit(tx, { kind: 'wallet.created', aggregateId: 'wa-1', aggregateVersion: 1, data: {} }),
  );
  const paginationToken = tokenOf(first.at(-1) ?? '');
  const rest = await exported(urlOf({ ...query, paginationToken }), token);
  expect([...first.map(withoutToken), ...rest.lines]).toEqual(whole);
  expect(rest.headers.get('strongroom-rows')).toBe(String(5_000 - first.length));
  // JSON continues from the same line.
  const json = await page(admin, { ...ALL, ...query, limit: '1', paginationToken });
  expect(rest.lines[0]).toContain(json.items[0]?.id);
});

test('200: another organisation sees none of the events', async () => {
  await withEvents({});
  const stranger = await hooks.admin();
  expect(await page(stranger)).toEqual({ orgId: stranger.orgId, items: [] });
  expect((await ask(stranger)).lines).toEqual([HEADER]);
});

test.each([
  [{ endTime: ALL.endTime }, 'query.startTime'],
  [{ startTime: ALL.startTime }, 'query.endTime'],
  [{ startTime: ALL.endTime, endTime: ALL.startTime }, 'query.endTime'],
  [{ ...ALL, startTime: 'yesterday' }, 'query.startTime'],
  [{ ...ALL, startTime: '0001-01-01T00:00:00+00:01' }, 'query.startTime'],
  [{ ...ALL, endTime: '9999-12-31T23:59:00-00:01' }, 'query.endTime'],
  [{ ...ALL, limit: '501' }, 'query.limit'],
  [{ ...ALL, kind: 'wallet.created' }, 'query.kind'],
])('400: %j', async (query, path) => {
  const { admin } = await withEvents();
  for (const accept of ['text/csv', 'application/json']) {
    const { status, text } = await ask(admin, query as Readonly<Record<string, string>>, accept);
    expect({ status, ...JSON.parse(text).error }).toMatchObject({ status: 400, id: 'InvalidRequest', details: faultAt(path) });
  }
});

test('400: the page token belongs to another list, organisation or period, or was changed', async () => {
  const { admin } = await withEvents({}, {});
  const { admin: stranger } = await withEvents({}, {});
  const { nextPageToken = '' } = await page(admin, { ...ALL, limit: '1' });
  const { after } = JSON.parse(Buffer.from(nextPageToken, 'base64url').toString()) as { after: string };
  const tokens = ['1.wa-1', after.replace(/^........./, ''), `${after.slice(0, -4)}____`, `f${after}`, `${after}.`].map((one) =>
    Buffer.from(JSON.stringify({ v: 1, after: one })).toString('base64url'),
  );
  const others = [...tokens.map((paginationToken) => ({ ...ALL, paginationToken })), { ...ALL, paginationToken: '=' }];
  for (const [person, query] of [
    ...others.map((one) => [admin, one] as const),
    [stranger, { ...ALL, paginationToken: nextPageToken }] as const,
    [admin, { ...ALL, endTime: '2026-03-01T23:00:00Z', paginationToken: nextPageToken }] as const,
    [admin, { ...ALL, startTime: '2026-02-01T00:00:00Z', paginationToken: nextPageToken }] as const,
  ]) {
    for (const accept of ['text/csv', 'application/json']) {
      const { status, text } = await ask(person, query, accept);
      expect({ query, status, ...JSON.parse(text).error }).toMatchObject({ query, status: 400, id: 'InvalidPaginationToken' });
    }
  }
});

test('401: without a token', async () => {
  const { admin } = await withEvents();
  expect((await fetch(`${admin.client.baseUrl}${PATH}?${new URLSearchParams(ALL)}`)).status).toBe(401);
});

test('403: without Activities:Read, and for an end user', async () => {
  const { orgId } = await hooks.admin();
  const path = `${PATH}?${new URLSearchParams(ALL)}`;
  const reader = await hooks.colleague(orgId, ['Activities:Read']);
  expect((await ask(reader)).status).toBe(200);
  const other = await hooks.colleague(orgId, ['Events:Read', 'Wallets:Read']);
  expect(await other.client.get(path)).toMatchObject(refusal(403, 'Forbidden'));
  const endUser = await hooks.api.createPerson(orgId, { kind: 'EndUser', operations: ['Activities:Read'] });
  expect(await endUser.client.get(path)).toMatchObject(refusal(403, 'Forbidden'));
});
