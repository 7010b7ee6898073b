import { type Housekeeping, openHousekeeping } from '../../support/housekeeping';
import { asSuperuser } from '../../support/roles';

let housekeeping: Housekeeping;
let orgId: string;
beforeAll(async () => {
  housekeeping = await openHousekeeping();
  orgId = await housekeeping.database.createOrganization();
});
afterAll(() => housekeeping?.close());

const left = (table: string) =>
  asSuperuser(
    async (client) => (await client.query<{ id: string }>(`SELECT id FROM ${table} ORDER BY id`)).rows.map(({ id }) => id),
    housekeeping.database.name,
  );
const outbox = (count: number, name: string, created: string, relayed: string | null) =>
  housekeeping.upset(
    `INSERT INTO outbox (org_id, id, shard, kind, aggregate_id, dedupe_key, routing, date_created, date_relayed)
     SELECT $1, $2 || n, 0, 'event', 'wa', $2 || n, '{}', clock_timestamp() - $3::interval, clock_timestamp() - $4::interval
     FROM generate_series(1, $5) AS n`,
    [orgId, name, created, relayed, count],
  );

test('relayed outbox rows are deleted after seven days, in batches, and rows that wait for the relay stay', async () => {
  await outbox(2_500, 'old', '9 days', '7 days 1 minute');
  await outbox(1, 'young', '9 days', '6 days 23 hours');
  await outbox(1, 'waits', '1 minute', null);
  expect(await housekeeping.keep('remove-outbox-rows')).toEqual({ looked: 2_500, done: 2_500 });
  expect(await left('outbox')).toEqual(['waits1', 'young1']);
  expect(await housekeeping.keep('remove-outbox-rows')).toEqual({ looked: 0, done: 0 });
});

test('webhook deliveries are deleted after 31 days', async () => {
  for (const [id, age] of [
    ['a', '31 days 1 minute'],
    ['b', '30 days 23 hours'],
  ]) {
    await housekeeping.upset(
      `INSERT INTO webhook_events (org_id, id, webhook_id, event_id, kind, delivery_attempt, status, date_created)
       VALUES ($1, $2, 'wh', $2, 'wallet.created', 1, '200', clock_timestamp() - $3::interval)`,
      [orgId, id, age],
    );
  }
  expect(await housekeeping.keep('remove-webhook-events')).toEqual({ looked: 1, done: 1 });
  expect(await left('webhook_events')).toEqual(['b']);
});

test('user actions that were never used are deleted a day after they expire; used ones stay as evidence', async () => {
  for (const [id, age, used] of [
    ['a', '1 day 1 minute', false],
    ['b', '23 hours', false],
    ['c', '1 year', true],
  ]) {
    await housekeeping.upset(
      `INSERT INTO user_actions (org_id, id, user_id, token_id, method, path, body_sha256, credential_ids, nonce, challenge,
         date_expires, date_consumed)
       VALUES ($1, $2, 'us', 'to', 'POST', '/', '', '[]', '', '', clock_timestamp() - $3::interval,
         CASE WHEN $4 THEN clock_timestamp() END)`,
      [orgId, id, age, used],
    );
  }
  expect(await housekeeping.keep('remove-user-actions')).toEqual({ looked: 1, done: 1 });
  expect(await left('user_actions')).toEqual(['b', 'c']);
});

test.each([
  ['remove-challenges', 'challenges', ', kind, challenge', `, 'Login', ''`],
  ['remove-mails', 'mails', ', user_id, template, status', `, 'us', 'LoginCode', 'Waiting'`],
  ['remove-one-time-codes', 'one_time_codes', ', user_id, purpose, code_digest', `, $2, 'Login', ''`],
  ['remove-used-id-tokens', 'used_id_tokens', '', ''],
] as const)('%s: rows are deleted a day after they expire, used or not', async (duty, table, columns, values) => {
  for (const [id, age] of [
    ['a', '1 day 1 minute'],
    ['b', '23 hours'],
    ['c', '-5 minutes'],
  ]) {
    await housekeeping.upset(
      `INSERT INTO ${table} (org_id, id${columns}, date_expires) VALUES ($1, $2${values}, clock_timestamp() - $3::interval)`,
      [orgId, id, age],
    );
  }
  expect(await housekeeping.keep(duty)).toEqual({ looked: 1, done: 1 });
  expect(await left(table)).toEqual(['b', 'c']);
});

test('a key request is deleted a day after its creation', async () => {
  for (const [id, age] of [
    ['a', '1 day 1 minute'],
    ['b', '23 hours'],
  ]) {
    await housekeeping.upset(
      `INSERT INTO key_requests (org_id, id, kind, key_id, user_id, status, sealed_answer, date_created)
       VALUES ($1, $2, 'Derive', 'key', 'us', 'Done', 'sealed', clock_timestamp() - $3::interval)`,
      [orgId, id, age],
    );
  }
  expect(await housekeeping.keep('remove-key-requests')).toEqual({ looked: 1, done: 1 });
  expect(await left('key_requests')).toEqual(['b']);
});

test('an outbox row that waits for more than five minutes is logged as an error, and one that waits for less is not', async () => {
  await housekeeping.upset('DELETE FROM outbox');
  housekeeping.lines();
  await outbox(1, 'late', '4 minutes', null);
  expect(await housekeeping.keep('watch-outbox')).toEqual({ looked: 0, done: 0 });
  expect(housekeeping.lines()).toEqual([]);
  await outbox(3, 'lagging', '6 minutes', null);
  expect(await housekeeping.keep('watch-outbox')).toEqual({ looked: 3, done: 0 });
  expect(housekeeping.lines()).toEqual([expect.stringMatching(/^error: outbox rows have waited too long/)]);
});
