import { Client } from 'pg';
import { UserEntity } from '../../entities/users/user.entity';
import { newId } from '../../platform/ids';
import { createTestDatabase, type TestDatabase } from '../support/database';
import { asSuperuser, TEST_ROLE } from '../support/roles';

/** Tables without an organisation. */
const SHARED_TABLES = [
  'tokens',
  'outbox_leases',
  'migrations',
  'tenants',
  'rate_limits',
  'lockouts',
  'deployment',
  'signer_switches',
  'signer_anchors',
  'prices',
  'scans',
  'chain_blocks',
];

let database: TestDatabase;
let tables: readonly string[];
let orgId: string;
let otherOrgId: string;

beforeAll(async () => {
  database = await createTestDatabase(1);
  tables = await asOwner<{ name: string }>(
    `SELECT c.relname AS name FROM pg_class c WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') ORDER BY 1`,
  ).then((rows) => rows.map(({ name }) => name));
  orgId = await database.createOrganization();
  otherOrgId = await database.createOrganization();
  await asSuperuser(seed, database.name);
});
afterAll(() => database?.close());

const scopeOf = (table: string) => (table === 'organizations' ? 'id' : 'org_id');
const tenantTables = () => tables.filter((table) => !SHARED_TABLES.includes(table));

async function connected<R>(url: string, work: (client: Client) => Promise<R>): Promise<R> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
const asOwner = <R extends object>(sql: string) =>
  connected(database.ownerUrl, async (client) => (await client.query<R>(sql)).rows);

/** Inserts one row of each organisation into every table, with values by column type, without foreign keys and triggers. */
async function seed(client: Client): Promise<void> {
  await client.query(`SET session_replication_role = 'replica'`);
  const { rows } = await client.query<{ name: string; column: string; type: string }>(
    `SELECT table_name AS name, column_name AS column, data_type AS type FROM information_schema.columns
     WHERE table_schema = 'public' AND column_default IS NULL AND is_generated = 'NEVER'
       AND (is_nullable = 'NO' OR (table_name = 'claims' AND column_name = 'transfer_id'))`,
  );
  for (const table of tenantTables().filter((name) => name !== 'organizations')) {
    const columns = rows.filter(({ name }) => name === table);
    for (const org of [orgId, otherOrgId]) {
      const values = columns.map(({ column, type }) => valueFor(org, column, type));
      const places = values.map((_, index) => `$${index + 1}`).join(', ');
      await client.query(`INSERT INTO ${table} (${columns.map(({ column }) => column).join(', ')}) VALUES (${places})`, values);
    }
  }
}

function valueFor(org: string, column: string, type: string): string {
  if (column === 'org_id') return org;
  // This column is the only text column with a list of values.
  if (column === 'value' && type === 'text') return 'Approved';
  // A chain begins with 1.
  if (column === 'sequence') return '1';
  if (type === 'jsonb') return '{}';
  if (type === 'boolean') return 'true';
  if (['integer', 'bigint', 'numeric', 'xid8'].includes(type)) return '0';
  if (type.startsWith('timestamp')) return '2026-01-01T00:00:00Z';
  return `${org}-${column}`;
}

const visible = (client: Client, table: string) =>
  client.query(`SELECT count(*)::int AS n, count(*) FILTER (WHERE ${scopeOf(table)} = $1)::int AS own FROM ${table}`, [orgId]);

test('every table has an organisation and forced row-level security, or is named here as shared', async () => {
  const found = await asOwner<{ name: string }>(
    `SELECT c.relname AS name FROM pg_class c
     WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND c.relrowsecurity AND c.relforcerowsecurity
       AND EXISTS (SELECT FROM pg_policy p WHERE p.polrelid = c.oid AND p.polwithcheck IS NOT NULL) ORDER BY 1`,
  );
  expect(found.map(({ name }) => name)).toEqual(tenantTables());
  const withoutScope = await asOwner<{ name: string }>(
    `SELECT c.relname AS name FROM pg_class c WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p')
       AND NOT EXISTS (SELECT FROM pg_attribute a WHERE a.attrelid = c.oid AND a.attname = 'org_id' AND a.attnotnull) ORDER BY 1`,
  );
  expect(withoutScope.map(({ name }) => name)).toEqual([...SHARED_TABLES, 'organizations'].sort());
});

test('a connection that has set no organisation sees no row of any table', async () => {
  await connected(database.appUrl, async (client) => {
    for (const table of tenantTables()) expect([table, (await visible(client, table)).rows[0].n]).toEqual([table, 0]);
  });
});

test('an organisation sees its own rows of every table and no other', async () => {
  await connected(database.appUrl, async (client) => {
    await client.query(`SELECT set_config('strongroom.org_id', $1, false)`, [orgId]);
    for (const table of tenantTables()) {
      expect([table, (await visible(client, table)).rows[0]]).toEqual([table, { n: 1, own: 1 }]);
    }
  });
});

test('an organisation can neither change, remove nor write rows of another organisation', async () => {
  await connected(database.appUrl, async (client) => {
    await client.query(`SELECT set_config('strongroom.org_id', $1, false)`, [orgId]);
    const changed = await client.query('UPDATE wallets SET name = $1 WHERE org_id = $2', ['stolen', otherOrgId]);
    expect(changed.rowCount).toBe(0);
    const removed = await client.query('DELETE FROM wallet_tags WHERE org_id = $1', [otherOrgId]);
    expect(removed.rowCount).toBe(0);
    const insert = client.query('INSERT INTO lanes (org_id, network, address) VALUES ($1, $2, $3)', [otherOrgId, 'n', 'a']);
    await expect(insert).rejects.toThrow(/row-level security/);
    const move = client.query('UPDATE wallets SET org_id = $1', [otherOrgId]);
    await expect(move).rejects.toThrow(/row-level security/);
  });
});

test('a connection that returns to the pool no longer has the setting of its organisation', async () => {
  const { db } = database;
  await db.withOrg(orgId, (tx) => tx.rows(UserEntity, ''));
  const failing = db.withOrg(orgId, async (tx) => {
    await tx.insert(UserEntity, { orgId: otherOrgId, id: newId('user'), username: 'x', name: 'x', kind: 'EndUser' });
  });
  await expect(failing).rejects.toThrow(/row-level security/);
  await db.read(orgId).rows(UserEntity, '');
  const left = await db.withOrg(otherOrgId, async (tx) => {
    // The rollback removes the setting of this transaction, so that the setting of the connection becomes visible.
    await tx.query('ROLLBACK');
    return tx.query<{ org: string | null }>(`SELECT nullif(current_setting('strongroom.org_id', true), '') AS org`);
  });
  expect(left).toEqual([{ org: null }]);
  expect(await db.withOrg('', (tx) => tx.rows(UserEntity, ''))).toEqual([]);
  expect(await db.read('').rows(UserEntity, '')).toEqual([]);
});

test('no role of the service can bypass the rules', async () => {
  const roles = await asSuperuser(async (client) => {
    const sql = `SELECT rolname, rolsuper, rolbypassrls, rolcreaterole FROM pg_roles WHERE rolname LIKE 'strongroom_%' ORDER BY 1`;
    return (await client.query(sql)).rows;
  });
  const harmless = { rolsuper: false, rolbypassrls: false, rolcreaterole: false };
  const names = ['strongroom_app', 'strongroom_owner', 'strongroom_relay', TEST_ROLE, 'strongroom_worker'];
  expect(roles).toEqual(names.map((rolname) => ({ rolname, ...harmless })));
  await connected(database.appUrl, async (client) => {
    const attempts = [
      'ALTER TABLE wallets DISABLE ROW LEVEL SECURITY',
      'DROP POLICY of_organization ON wallets',
      'SET ROLE strongroom_owner',
      'TRUNCATE wallets',
      `UPDATE events SET data = '{}'`,
      'DELETE FROM approval_votes',
      `UPDATE verdicts SET outcome = 'Passed'`,
      'UPDATE tokens SET decimals = 18',
      'UPDATE prices SET usd_micro = 1',
      `INSERT INTO prices (network, contract, date_asked) VALUES ('Ethereum', '', now())`,
      'DELETE FROM feed_pending',
      'DELETE FROM audit_pending',
      'SELECT * FROM outbox_leases',
    ];
    for (const sql of attempts) await expect(client.query(sql)).rejects.toThrow(/must be owner|permission denied/);
    await client.query('SET row_security = off');
    await expect(client.query('SELECT * FROM wallets')).rejects.toThrow(/row-level security/);
  });
});

test('the relay reads routing of every organisation and nothing else', async () => {
  const readable = await asOwner<{ name: string; columns: string }>(
    `SELECT c.relname AS name, string_agg(a.attname, ' ' ORDER BY a.attname) AS columns
     FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
     WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p')
       AND has_column_privilege('strongroom_relay', c.oid, a.attnum, 'SELECT') GROUP BY 1 ORDER BY 1`,
  );
  expect(readable).toEqual([
    { name: 'amendments', columns: 'date_created id org_id status' },
    { name: 'approvals', columns: 'activity_kind date_created id org_id status' },
    { name: 'audit_heads', columns: 'date_unwitnessed org_id sequence signed_sequence' },
    { name: 'audit_pending', columns: 'org_id' },
    { name: 'backfills', columns: 'date_created id org_id status' },
    { name: 'challenges', columns: 'date_expires id org_id' },
    { name: 'change_requests', columns: 'date_created id org_id status' },
    { name: 'claims', columns: 'date_created id lane network org_id state transfer_id' },
    { name: 'contract_events', columns: 'block_height date_mined network org_id status' },
    { name: 'data_keys', columns: 'date_created id kek_id org_id state' },
    { name: 'deployment', columns: 'date_frozen date_released' },
    { name: 'feed_heads', columns: 'date_unwitnessed org_id sequence signed_sequence' },
    { name: 'feed_pending', columns: 'org_id' },
    { name: 'fleet_groups', columns: 'date_created id org_id status' },
    { name: 'freezes', columns: 'date_created date_released date_signer_released id org_id' },
    { name: 'holdings', columns: 'network org_id read seen wallet_id' },
    { name: 'key_requests', columns: 'date_created id org_id' },
    { name: 'lanes', columns: 'network trouble' },
    { name: 'mails', columns: 'date_created date_expires id org_id status' },
    { name: 'movements', columns: 'block_height date_mined network org_id status' },
    { name: 'one_time_codes', columns: 'date_expires id org_id' },
    { name: 'organizations', columns: 'id' },
    {
      name: 'outbox',
      columns: 'aggregate_id attempts date_created date_due date_relayed dedupe_key id kind org_id routing seq shard',
    },
    { name: 'outbox_leases', columns: 'date_expires holder shard' },
    {
      name: 'payloads',
      columns: 'id included_hash included_height included_success network operation_hash org_id state transfer_id tx_hash',
    },
    { name: 'received_coins', columns: 'network org_id txid' },
    { name: 'recoveries', columns: 'date_created id org_id status' },
    { name: 'signatures', columns: 'approval_id date_requested id org_id state' },
    { name: 'signer_switches', columns: 'date_updated is_only switched_on' },
    { name: 'transfers', columns: 'approval_id claims_of date_requested hindrance id network org_id state version' },
    { name: 'travel_rule_callbacks', columns: 'date_received id org_id' },
    { name: 'used_id_tokens', columns: 'date_expires id org_id' },
    { name: 'user_actions', columns: 'date_consumed date_expires date_signed id org_id' },
    { name: 'wallet_attestations', columns: 'org_id wallet_id' },
    { name: 'wallets', columns: 'date_created id network org_id status' },
    {
      name: 'watched_addresses',
      columns: 'address date_added date_sweep_due is_active live_from network org_id since_xid subject_id',
    },
    {
      name: 'webhook_events',
      columns: 'date_created delivery_attempt delivery_failed event_id id next_attempt_date org_id retry_of status webhook_id',
    },
  ]);
  const known = readable.map(({ name }) => name);
  await connected(database.relayUrl, async (client) => {
    expect((await visible(client, 'outbox')).rows[0]).toEqual({ n: 2, own: 1 });
    for (const table of tenantTables().filter((name) => !known.includes(name))) {
      await expect(client.query(`SELECT FROM ${table}`)).rejects.toThrow(/permission denied/);
    }
    const unseen = [
      'raw_hex FROM payloads',
      'to_address FROM transfers',
      'address FROM wallets',
      'activity FROM approvals',
      'amount_units FROM movements',
    ];
    for (const column of [...unseen, 'signature FROM user_actions', 'error FROM webhook_events', 'name FROM organizations']) {
      await expect(client.query(`SELECT ${column}`)).rejects.toThrow(/permission denied/);
    }
    expect((await client.query(`SELECT id FROM transfers`)).rowCount).toBe(2);
    await expect(client.query(`UPDATE outbox SET routing = '{}'`)).rejects.toThrow(/permission denied/);
  });
});
