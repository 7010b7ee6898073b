import { Client } from 'pg';
import { createTestDatabase, type TestDatabase } from '../support/database';
import { asSuperuser } from '../support/roles';

let database: TestDatabase;
let orgId: string;
beforeAll(async () => {
  database = await createTestDatabase(1);
  orgId = await database.createOrganization();
});
afterAll(() => database?.close());

/** Writes rows without checks of foreign keys, so that each test needs only one table. */
const write = (sql: string) =>
  asSuperuser(async (client) => {
    await client.query(`SET session_replication_role = 'replica'`);
    await client.query(sql);
  }, database.name);

const ago = (interval: string) => `clock_timestamp() - interval '${interval}'`;
const webhookEvent = (id: string, age: string) =>
  `INSERT INTO webhook_events (org_id, id, webhook_id, event_id, kind, delivery_attempt, status, date_created)
   VALUES ('${orgId}', '${id}', 'wh', '${id}', 'wallet.created', 1, '200', ${ago(age)})`;
const userAction = (id: string, expiredAgo: string, consumed: boolean) =>
  `INSERT INTO user_actions (org_id, id, user_id, token_id, method, path, body_sha256, credential_ids, nonce, challenge,
     date_expires, date_consumed)
   VALUES ('${orgId}', '${id}', 'us', 'to', 'POST', '/', '', '[]', '', '', ${ago(expiredAgo)},
     ${consumed ? ago(expiredAgo) : 'NULL'})`;
const outboxRow = (id: string, relayedAgo: string | null) =>
  `INSERT INTO outbox (org_id, id, shard, kind, aggregate_id, dedupe_key, routing, date_relayed)
   VALUES ('${orgId}', '${id}', 0, 'event', 'wa', '${id}', '{}', ${relayedAgo === null ? 'NULL' : ago(relayedAgo)})`;

/** Deletes every row of the table as the relay's role, and returns the ids that are left. */
async function removeAll(table: string): Promise<string[]> {
  const relay = new Client({ connectionString: database.relayUrl });
  await relay.connect();
  try {
    await relay.query(`DELETE FROM ${table}`);
    return (await relay.query<{ id: string }>(`SELECT id FROM ${table} ORDER BY id`)).rows.map(({ id }) => id);
  } finally {
    await relay.end();
  }
}

test('the database permits the deletion of deliveries after 31 days and not an hour earlier, whatever a statement selects', async () => {
  await write([webhookEvent('a-old', '31 days 1 minute'), webhookEvent('b-young', '30 days 23 hours')].join(';'));
  expect(await removeAll('webhook_events')).toEqual(['b-young']);
});

test('an unused user action can be deleted a day after it expired, and a used one never', async () => {
  await write(
    [
      userAction('a-unused', '1 day 1 minute', false),
      userAction('b-fresh', '23 hours', false),
      userAction('c-used', '900 days', true),
    ].join(';'),
  );
  expect(await removeAll('user_actions')).toEqual(['b-fresh', 'c-used']);
});

test('an outbox row can be deleted a day after it was carried out, and a waiting row never', async () => {
  await write([outboxRow('a-done', '1 day 1 minute'), outboxRow('b-fresh', '23 hours'), outboxRow('c-waits', null)].join(';'));
  expect(await removeAll('outbox')).toEqual(['b-fresh', 'c-waits']);
});

test('a key request can be deleted a day after its creation', async () => {
  const keyRequest = (id: string, age: string) =>
    `INSERT INTO key_requests (org_id, id, kind, key_id, user_id, status, date_created)
     VALUES ('${orgId}', '${id}', 'Derive', 'key', 'us', 'Done', ${ago(age)})`;
  await write([keyRequest('a-old', '1 day 1 minute'), keyRequest('b-young', '23 hours')].join(';'));
  expect(await removeAll('key_requests')).toEqual(['b-young']);
});

test('records are never removed: no role may delete events, votes or verdicts', async () => {
  for (const url of [database.relayUrl, database.appUrl, database.workerUrl]) {
    const client = new Client({ connectionString: url });
    await client.connect();
    for (const table of ['events', 'approval_votes', 'verdicts', 'approvals', 'transfers', 'payloads']) {
      await expect(client.query(`DELETE FROM ${table}`)).rejects.toThrow('permission denied');
    }
    await client.end();
  }
});
