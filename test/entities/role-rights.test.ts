import { Client } from 'pg';
import { KeyEntity } from '../../entities/keys/key.entity';
import { policyStore } from '../../entities/policies/policy.store';
import { UserActionEntity } from '../../entities/user-actions/user-action.entity';
import { UserEntity } from '../../entities/users/user.entity';
import { WalletEntity } from '../../entities/wallets/wallet.entity';
import { newId } from '../../platform/ids';
import { createTestDatabase, type TestDatabase } from '../support/database';
import { BLOCK } from '../support/policies';
import { asSuperuser, databaseUrl } from '../support/roles';

let database: TestDatabase;
let orgId: string;

beforeAll(async () => {
  database = await createTestDatabase(2);
  orgId = await database.createOrganization();
});
afterAll(() => database?.close());

/** The message with which the server refuses a statement by this role, or undefined if the server carries the statement out. */
async function refusal(url: string, sql: string): Promise<string | undefined> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(`BEGIN; SELECT set_config('strongroom.org_id', '${orgId}', true)`);
    await client.query(sql);
    return undefined;
  } catch (error) {
    return (error as Error).message;
  } finally {
    await client.end();
  }
}

const OF_THE_WORKER = {
  payloads: 'INSERT, UPDATE',
  claims: 'INSERT',
  contract_events: 'INSERT, UPDATE',
  offline_requests: 'INSERT, UPDATE',
  data_keys: 'INSERT',
  screenings: 'INSERT, UPDATE',
  sponsored_fees: 'INSERT',
  backtest_results: 'INSERT',
  payload_readings: 'INSERT',
  balance_sweeps: 'INSERT, UPDATE',
  balance_differences: 'INSERT, UPDATE',
  prices: 'INSERT, UPDATE',
  charters: 'INSERT, UPDATE',
  charter_heads: 'INSERT',
  key_stores: 'INSERT, UPDATE',
  amendments: 'UPDATE',
  signer_anchors: 'INSERT, UPDATE',
  wallet_attestations: 'INSERT',
  feed_heads: 'INSERT, UPDATE',
  feed_entries: 'INSERT',
  feed_checkpoints: 'INSERT',
  audit_heads: 'INSERT, UPDATE',
  audit_places: 'INSERT',
  audit_checkpoints: 'INSERT',
  fleet_keys: 'INSERT',
  fleet_outputs: 'UPDATE',
};
const OF_THE_API = {
  user_actions: 'INSERT, UPDATE',
  oidc_identities: 'INSERT, UPDATE',
  fee_sponsors: 'INSERT, UPDATE',
  address_watches: 'INSERT, UPDATE',
  approval_votes: 'INSERT',
  access_tokens: 'INSERT',
  challenges: 'INSERT',
  one_time_codes: 'INSERT',
  used_id_tokens: 'INSERT',
  users: 'INSERT',
  organizations: 'INSERT',
  webhooks: 'INSERT',
  integrations: 'INSERT',
  signatures: 'INSERT',
  key_requests: 'INSERT',
  change_requests: 'INSERT',
  backtests: 'INSERT',
};
const rights = (lists: Readonly<Record<string, string>>) =>
  Object.entries(lists).flatMap(([table, list]) => list.split(', ').map((right) => [table, right] as const));

test.each([
  ...rights(OF_THE_WORKER).map((right) => ['strongroom_worker', 'strongroom_app', ...right] as const),
  ...rights(OF_THE_API).map((right) => ['strongroom_app', 'strongroom_worker', ...right] as const),
])('%s and not %s writes %s (%s)', async (holder, other, table, right) => {
  const mayAny = async (role: string) =>
    asSuperuser(async (client) => {
      const sql = `SELECT has_any_column_privilege($1, $2, $3) AS may`;
      return (await client.query<{ may: boolean }>(sql, [role, table, right])).rows[0]?.may;
    }, database.name);
  expect([await mayAny(holder), await mayAny(other)]).toEqual([true, false]);
});

describe.each(['strongroom_app', 'strongroom_worker'] as const)('%s', (role) => {
  const url = () => databaseUrl(role, database.name);

  test.each([
    ['a public key of a credential', `UPDATE credentials SET public_key = 'x'`],
    ['the owner of a credential', `UPDATE credentials SET user_id = 'x'`],
    ['the request that a user action authorises', `UPDATE user_actions SET body_sha256 = 'x'`],
    ['the rule of a policy', `UPDATE policy_versions SET rule = '{}'`],
    ['the list of migrations', `INSERT INTO migrations (timestamp, name) VALUES (1, 'x')`],
    ['a difference of a balance', 'UPDATE balance_differences SET found_units = expected_units'],
    ['the differences of balances', 'DELETE FROM balance_differences'],
    ['an entry of the feed', 'UPDATE feed_entries SET digest = hash'],
    ['the end of the feed', 'DELETE FROM feed_entries'],
    ['a checkpoint of the feed', 'DELETE FROM feed_checkpoints'],
    ['an entry of the audit log', `UPDATE audit_entries SET data = '{}'`],
    ['the kind of an entry', `UPDATE audit_entries SET kind = 'Charter'`],
    ['the end of the audit log', 'DELETE FROM audit_entries'],
    ['a place in the audit log', 'UPDATE audit_places SET hash = digest'],
    ['the places of the audit log', 'DELETE FROM audit_places'],
    ['a checkpoint of the audit log', 'DELETE FROM audit_checkpoints'],
    ['another checkpoint of the audit log', `UPDATE audit_checkpoints SET statement = ''`],
    ['the public key of a key in the pool', `UPDATE fleet_keys SET public_key = 'x'`],
    ['the people of a group', `UPDATE fleet_groups SET created_by = 'x'`],
    ['a tenant', `INSERT INTO tenants (id, name) VALUES ('x', 'x')`],
  ])('cannot write %s', async (_title, sql) => {
    expect(await refusal(url(), sql)).toMatch(/permission denied/);
  });
});

test('only the worker removes a waiting entry of a chain', async () => {
  for (const table of ['feed_pending', 'audit_pending']) {
    expect(await refusal(database.appUrl, `DELETE FROM ${table}`)).toMatch(/permission denied/);
    expect(await refusal(database.workerUrl, `DELETE FROM ${table}`)).toBeUndefined();
  }
});

test('the API and the worker add metadata of a wallet, and only the API removes metadata', async () => {
  const insert = `INSERT INTO wallet_metadata (org_id, wallet_id, key, value) VALUES ('${orgId}', 'wa-none', 'a', 'b')`;
  for (const url of [database.appUrl, database.workerUrl]) expect(await refusal(url, insert)).toMatch(/foreign key/);
  expect(await refusal(database.appUrl, 'DELETE FROM wallet_metadata')).toBeUndefined();
  expect(await refusal(database.workerUrl, 'DELETE FROM wallet_metadata')).toMatch(/permission denied/);
});

test('a key keeps its public half and a wallet its address from the moment they have one', async () => {
  const [keyId, walletId] = [newId('key'), newId('wallet')];
  const wallet = { orgId, id: walletId, network: 'EthereumSepolia', keyId, requestDigest: '', createdBy: 'us' } as const;
  await database.db.withOrg(orgId, async (tx) => {
    await tx.insert(KeyEntity, { orgId, id: keyId, scheme: 'ECDSA', curve: 'secp256k1', status: 'Creating', storeId: 'x' });
    await tx.insert(WalletEntity, { ...wallet, status: 'Creating', address: null });
  });
  const worker = database.workerUrl;
  const change = (column: string, table: string, id: string, value: string) =>
    database.db.withOrg(orgId, (tx) => tx.query(`UPDATE ${table} SET ${column} = $2 WHERE id = $1`, [id, value]));
  await change('public_key', 'keys', keyId, '02');
  await change('address', 'wallets', walletId, '0x1');
  await change('status', 'keys', keyId, 'Active');
  expect(await refusal(worker, `UPDATE keys SET public_key = '03' WHERE id = '${keyId}'`)).toMatch(/stays as it is/);
  expect(await refusal(worker, `UPDATE keys SET public_key = NULL WHERE id = '${keyId}'`)).toMatch(/stays as it is/);
  expect(await refusal(worker, `UPDATE wallets SET address = '0x2' WHERE id = '${walletId}'`)).toMatch(/stays as it is/);
  expect(await refusal(worker, `UPDATE wallets SET key_id = 'other' WHERE id = '${walletId}'`)).toMatch(/stays as it is/);
});

test('a user action is signed once and consumed once, and no part of the action changes afterwards', async () => {
  const [id, userId] = [newId('userAction'), newId('user')];
  await database.db.withOrg(orgId, async (tx) => {
    await tx.insert(UserEntity, { orgId, id: userId, username: id, name: id, kind: 'CustomerEmployee' });
    await tx.insert(UserActionEntity, {
      orgId,
      id,
      userId,
      tokenId: 'to',
      method: 'POST',
      path: '/wallets',
      bodySha256: '00',
      credentialIds: [],
      nonce: 'n',
      challenge: 'c',
      dateExpires: new Date(Date.now() + 60_000),
    });
  });
  const change = (set: string) => refusal(database.appUrl, `UPDATE user_actions SET ${set} WHERE id = '${id}'`);
  const commit = (set: string) =>
    database.db.withOrg(orgId, (tx) => tx.query(`UPDATE user_actions SET ${set} WHERE id = $1`, [id]));
  await commit(`signature = 's', public_key = 'p', date_signed = clock_timestamp()`);
  expect(await change(`signature = 'other'`)).toMatch(/as it was signed/);
  expect(await change('date_signed = NULL')).toMatch(/as it was signed/);
  await commit('date_consumed = clock_timestamp()');
  expect(await change('date_consumed = NULL')).toMatch(/as it was signed and used/);
  expect(await change('date_consumed = clock_timestamp()')).toMatch(/as it was signed and used/);
});

test('every version of a policy is kept', async () => {
  const content = {
    name: 'First',
    activityKind: 'Wallets:Sign',
    rule: { kind: 'AlwaysTrigger' },
    action: BLOCK,
    filters: null,
  } as const;
  const rows = await database.db.withOrg(orgId, async (tx) => {
    const policyId = await policyStore.create(tx, content);
    await policyStore.lock(tx, policyId);
    await policyStore.change(tx, policyId, { name: 'Second', status: 'Active', version: 1 });
    await policyStore.change(tx, policyId, { status: 'Archived', version: 2 });
    expect(await policyStore.inForce(tx, 'Wallets:Sign')).toEqual([]);
    expect(await policyStore.find(tx, policyId)).toMatchObject({ name: 'Second', status: 'Archived', version: 2, revision: 3 });
    return tx.select('SELECT revision, name, status FROM policy_versions WHERE policy_id = $1 ORDER BY revision', [policyId]);
  });
  expect(rows).toEqual([
    { revision: 1, name: 'First', status: 'Active' },
    { revision: 2, name: 'Second', status: 'Active' },
    { revision: 3, name: 'Second', status: 'Archived' },
  ]);
});

test('no statement uses up a user action without an entry in the audit log, and each action has one entry', async () => {
  const [id, other, userId] = [newId('userAction'), newId('userAction'), newId('user')];
  const action = {
    orgId,
    userId,
    tokenId: 'to',
    method: 'POST',
    path: '/wallets',
    bodySha256: '00',
    credentialIds: [],
    nonce: 'n',
  };
  const more = { challenge: 'c', dateExpires: new Date(Date.now() + 60_000) };
  await database.db.withOrg(orgId, async (tx) => {
    await tx.insert(UserEntity, { orgId, id: userId, username: id, name: id, kind: 'CustomerEmployee' });
    await tx.insert(UserActionEntity, { id, ...action, ...more });
    await tx.insert(UserActionEntity, { id: other, ...action, ...more, dateConsumed: new Date() });
    await tx.query('UPDATE user_actions SET date_signed = clock_timestamp() WHERE id = $1', [id]);
    await tx.query('UPDATE user_actions SET date_consumed = clock_timestamp() WHERE id = $1', [id]);
  });
  const entries = await database.db
    .read(orgId)
    .select('SELECT id, kind, data FROM audit_entries WHERE id = ANY ($1) ORDER BY id = $2', [[id, other], id]);
  const data = { userId, tokenId: 'to', method: 'POST', path: '/wallets', bodySha256: '00', challenge: 'c' };
  const without = { credentialUuid: null, credentialKind: null };
  expect(entries).toEqual([other, id].map((one) => ({ id: one, kind: 'UserAction', data: { ...data, ...without } })));
});
