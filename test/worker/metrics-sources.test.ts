import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FreezeKind } from '../../domain/deployment-freeze';
import { type BacklogStore, openBacklogStore } from '../../entities/housekeeping/backlog.store';
import type { Sample, Source } from '../../platform/metrics';
import { backlogSource, diskSource, freezeSource, signerSource, workerCertificates } from '../../worker/metrics-sources';
import { createAuthority } from '../support/certificates';
import { createTestDatabase, type TestDatabase } from '../support/database';
import { asSuperuser } from '../support/roles';
import { waitUntil } from '../support/wait-until';

let database: TestDatabase;
let store: BacklogStore;
beforeAll(async () => {
  database = await createTestDatabase(1);
  // Postgres scans a small table sequentially if it may. The test checks whether an index can serve the read.
  await asSuperuser((client) =>
    client.query(`ALTER ROLE strongroom_relay IN DATABASE ${database.name} SET enable_seqscan = off`),
  );
  store = openBacklogStore(database.relayUrl);
});
afterAll(async () => {
  await store?.close();
  await database?.close();
});

/** Writes rows without checks of foreign keys, because each kind of row is counted on its own. */
const write = (...statements: readonly string[]) =>
  asSuperuser(async (client) => {
    await client.query(`SET session_replication_role = 'replica'`);
    for (const statement of statements) await client.query(statement);
  }, database.name);

const transfer = (org: string, id: string, state: string) =>
  `INSERT INTO transfers (org_id, id, wallet_id, network, requester_user_id, request_body, request_digest, asset_kind,
     from_address, to_address, amount_units, priority, fee_ceiling_units, state)
   VALUES ('${org}', '${id}', 'wa', 'EthereumSepolia', 'us', '{}', '', 'Native', 'a', 'b', 1, 'Standard', 1, '${state}')`;
const approval = (org: string, id: string, status: string, age: string) =>
  `INSERT INTO approvals (org_id, id, activity_kind, activity_id, initiator_id, status, activity, digest, groups, evaluations,
     policy_epoch, date_created)
   VALUES ('${org}', '${id}', 'Wallets:Sign', 'xfr', 'us', '${status}', '{}', '', '[]', '[]', 1, clock_timestamp() - interval '${age}')`;
const outboxRow = (org: string, id: string, kind: string, relayed: string) =>
  `INSERT INTO outbox (org_id, id, shard, kind, aggregate_id, dedupe_key, routing, date_created, date_relayed)
   VALUES ('${org}', '${id}', 0, '${kind}', 'wa', '${id}', '{}', clock_timestamp() - interval '90 seconds', ${relayed})`;
const mail = (org: string, id: string, status: string, age: string) =>
  `INSERT INTO mails (org_id, id, user_id, template, status, date_created, date_expires)
   VALUES ('${org}', '${id}', 'us', 'LoginCode', '${status}', clock_timestamp() - interval '${age}', clock_timestamp())`;
const claims = (org: string, lane: string, from: number, to: number, state: string) =>
  `INSERT INTO claims (org_id, id, network, kind, key, lane, value, transfer_id, state)
   SELECT '${org}', '${lane}' || n, 'EthereumSepolia', 'nonce', '${lane}' || n, '${lane}', n, '${lane}' || n, '${state}'
   FROM generate_series(${from}, ${to}) AS n`;

const read = () => Promise.resolve(backlogSource(store, ['Ethereum', 'EthereumSepolia'], 0).read());
const valuesOf = (samples: readonly Sample[], name: Sample['name']) =>
  Object.fromEntries(
    samples.filter((sample) => sample.name === name).map(({ labels, value }) => [Object.values(labels).join(' '), value]),
  );

test('if nothing waits, every count is zero and no age is reported', async () => {
  const samples = await read();
  expect(valuesOf(samples, 'strongroom_approvals_waiting')).toEqual({ '': 0 });
  expect(valuesOf(samples, 'strongroom_outbox_waiting_rows')).toEqual({ start: 0, signal: 0, event: 0 });
  expect(valuesOf(samples, 'strongroom_mails_waiting')).toEqual({ '': 0 });
  expect(valuesOf(samples, 'strongroom_approvals_oldest_age_seconds')).toEqual({});
  expect(valuesOf(samples, 'strongroom_mails_oldest_age_seconds')).toEqual({});
  expect(valuesOf(samples, 'strongroom_outbox_oldest_age_seconds')).toEqual({});
});

test('open rows of all organisations are counted, ended rows are not, and each kind is found by its index of open rows', async () => {
  await write(
    ...['Approved', 'Approved', 'Signing', 'Confirmed', 'Failed', 'Rejected'].map((state, n) => transfer('or-1', `x${n}`, state)),
    transfer('or-2', 'x0', 'Approved'),
    // The hindrance of one transfer is outdated: it belongs to an earlier version of the transfer.
    `UPDATE transfers SET hindrance = jsonb_build_object('kind', 'LaneBlocked', 'detail', 'OperationOpen', 'version',
       CASE WHEN id = 'x1' THEN version - 1 ELSE version END)`,
    approval('or-1', 'a1', 'Pending', '1 hour'),
    approval('or-2', 'a2', 'Pending', '1 minute'),
    approval('or-2', 'a3', 'Approved', '1 day'),
    mail('or-1', 'm1', 'Waiting', '10 minutes'),
    mail('or-2', 'm2', 'Waiting', '1 minute'),
    mail('or-2', 'm3', 'Sent', '1 day'),
    outboxRow('or-1', 'o1', 'event', 'NULL'),
    outboxRow('or-2', 'o2', 'event', 'NULL'),
    outboxRow('or-2', 'o3', 'start', 'clock_timestamp()'),
    claims('or-1', 'full', 0, 15, 'Signing'),
    claims('or-1', 'half', 0, 6, 'Signing'),
    claims('or-2', 'done', 0, 99, 'Consumed'),
    `INSERT INTO lanes (org_id, network, address, trouble)
     SELECT 'or-' || n, 'EthereumSepolia', 'a', CASE WHEN n < 3 THEN '{"kind":"NonceMissing","nonce":0}'::jsonb END FROM generate_series(1, 3) AS n`,
    `INSERT INTO wallets (org_id, id, network, key_id, status, request_digest, created_by)
     VALUES ('or-1', 'wa', 'EthereumSepolia', 'ke', 'Creating', '', 'us'), ('or-1', 'wb', 'EthereumSepolia', 'kf', 'Active', '', 'us')`,
  );
  const samples = await read();
  expect(valuesOf(samples, 'strongroom_transfers_open')).toEqual({ 'EthereumSepolia Approved': 3, 'EthereumSepolia Signing': 1 });
  expect(valuesOf(samples, 'strongroom_wallets_creating')).toEqual({ '': 1 });
  expect(valuesOf(samples, 'strongroom_approvals_waiting')).toEqual({ '': 2 });
  expect(valuesOf(samples, 'strongroom_approvals_oldest_age_seconds')['']).toBeCloseTo(3_600, -2);
  expect(valuesOf(samples, 'strongroom_mails_waiting')).toEqual({ '': 2 });
  expect(valuesOf(samples, 'strongroom_mails_oldest_age_seconds')['']).toBeCloseTo(600, -2);
  expect(valuesOf(samples, 'strongroom_outbox_waiting_rows')).toEqual({ start: 0, signal: 0, event: 2 });
  expect(valuesOf(samples, 'strongroom_outbox_oldest_age_seconds')).toEqual({ event: expect.closeTo(90, -2) });
  expect(valuesOf(samples, 'strongroom_lane_claims')).toEqual({ 'EthereumSepolia Signing': 23 });
  expect(valuesOf(samples, 'strongroom_lanes_active')).toEqual({ Ethereum: 0, EthereumSepolia: 2 });
  expect(valuesOf(samples, 'strongroom_lanes_blocked')).toMatchObject({
    'EthereumSepolia NonceMissing': 2,
    'EthereumSepolia Underpriced': 0,
    'Ethereum NonceMissing': 0,
  });
  expect(valuesOf(samples, 'strongroom_operations_open')).toEqual({ Ethereum: 0, EthereumSepolia: 3 });
  expect(valuesOf(samples, 'strongroom_lanes_full')).toEqual({ Ethereum: 0, EthereumSepolia: 1 });

  // The server writes its statistics down when the connection ends.
  await store.close();
  store = openBacklogStore(database.relayUrl);
  const open = ['approvals_pending', 'claims_active', 'mails_waiting', 'outbox_waiting', 'transfers_open', 'wallets_creating'];
  await waitUntil('the indexes to have been used', async () => {
    const used = await asSuperuser(
      async (client) =>
        (await client.query<{ name: string }>(`SELECT indexrelname AS name FROM pg_stat_user_indexes WHERE idx_scan > 0`)).rows,
      database.name,
    );
    return open.every((index) => used.some(({ name }) => name.startsWith(index)));
  });
});

test('scrapes in a row ask the database once, and a failure is not kept', async () => {
  let asked = 0;
  let isBroken = true;
  const counted = {
    read: async () => {
      asked += 1;
      if (isBroken) throw new Error('the database is gone');
      return [];
    },
  };
  const source = backlogSource(counted, []);
  await expect(Promise.resolve(source.read())).rejects.toThrow('gone');
  isBroken = false;
  for (let scrape = 0; scrape < 5; scrape += 1) await source.read();
  expect(asked).toBe(2);
});

test('an unreachable database gives an error within the time limit', async () => {
  const nowhere = openBacklogStore('postgres://nobody@127.0.0.1:9/nothing');
  await expect(nowhere.read()).rejects.toThrow();
  await nowhere.close();
});

test('a freeze of the whole deployment is counted under its kind, and without a freeze every count is zero', async () => {
  const freeze = (kind: FreezeKind) => ({ standing: async () => ({ kind, reason: 'It looks wrong', since: new Date() }) });
  const frozen = async (source: Source) => valuesOf(await source.read(), 'strongroom_deployment_frozen');
  expect(await frozen(freezeSource({ standing: async () => null }))).toEqual({ Restored: 0, Operator: 0, Unknown: 0 });
  expect(await frozen(freezeSource(freeze('Operator')))).toEqual({ Restored: 0, Operator: 1, Unknown: 0 });
  expect(await frozen(freezeSource(freeze('Restored')))).toEqual({ Restored: 1, Operator: 0, Unknown: 0 });
});

test.each<[string, () => Promise<never>]>([
  ['refuses to answer', () => Promise.reject(new Error('gone'))],
  ['hangs', () => new Promise<never>(() => undefined)],
])('a signer that %s is shown as down and has no other metrics', async (_how, stats) => {
  expect(await signerSource({ stats, replica: stats }).read()).toEqual([{ name: 'strongroom_signer_up', labels: {}, value: 0 }]);
});

const stats = async () => ({
  ...{ journalEntries: 1, logEntries: 1, arithmetic: 'native' as const, orders: [] },
  ...{ waiting: 0, running: 0, waitedSeconds: 0 },
});

test.each([
  ['None', {}],
  ['Here', { '': 1 }],
  ['Away', { '': 0 }],
] as const)('a replica in the state %s has the metric %j', async (replica, figures) => {
  const samples = await signerSource({ stats, replica: async () => ({ replica }) }).read();
  const found = samples.filter(({ name }) => name === 'strongroom_signer_replica_up').map(({ value }) => ['', value]);
  expect(Object.fromEntries(found)).toEqual(figures);
});

test('a signer of an earlier release, which does not support replicas, still has its other metrics', async () => {
  const replica = () => Promise.reject(new Error('refused'));
  const names = (await signerSource({ stats, replica }).read()).map(({ name }) => name);
  expect(names).toContain('strongroom_signer_log_entries');
  expect(names).not.toContain('strongroom_signer_replica_up');
});

const silent = { resources: () => new Promise<never>(() => undefined) };
const inTheClear = { connectionOptions: { address: '127.0.0.1:7233' }, namespace: 'default' };
const HOUR_MS = 3_600_000;

test('the disk space that the signer reports is shown, and the scrape is incomplete if the signer does not answer', async () => {
  const resources = async () => ({ stateFreeBytes: 25, stateBytes: 100, certificate: null });
  const samples = await diskSource({ resources }).read();
  expect(valuesOf(samples, 'strongroom_signer_disk_free_bytes')).toEqual({ '': 25 });
  expect(valuesOf(samples, 'strongroom_signer_disk_bytes')).toEqual({ '': 100 });
  await expect(Promise.resolve(diskSource(silent).read())).rejects.toThrow();
});

describe('certificates', () => {
  const folder = mkdtempSync(join(tmpdir(), 'certificates-'));
  afterAll(() => rmSync(folder, { recursive: true }));
  const placed = (name: string, notAfterMs?: number) => {
    const issued = createAuthority().issue(join(folder, name), { names: ['worker.test'], ...(notAfterMs ? { notAfterMs } : {}) });
    return { host: 'signer.test', port: 7443, tls: { folder: issued, names: ['signer.test'] } };
  };
  const left = async (...of: Parameters<typeof workerCertificates>) =>
    valuesOf(await workerCertificates(...of).read(), 'strongroom_certificate_left_seconds');

  test('the certificates of worker, signer and authority are shown, each with its own expiry', async () => {
    const now = Date.now();
    const certificate = { fromMs: now - HOUR_MS, untilMs: now + 2 * HOUR_MS };
    const resources = async () => ({ stateFreeBytes: 1, stateBytes: 1, certificate });
    const source = workerCertificates({ resources }, placed('both', now + 5 * HOUR_MS), inTheClear);
    const samples = await source.read();
    const life = valuesOf(samples, 'strongroom_certificate_life_seconds');
    expect(Object.keys(life).sort()).toEqual(['authority', 'signer', 'worker']);
    expect(life['signer']).toBe(3 * 3_600);
    const ends = valuesOf(samples, 'strongroom_certificate_left_seconds');
    expect(ends['worker']).toBeCloseTo(5 * 3_600, -3);
    expect(ends['signer']).toBeCloseTo(2 * 3_600, -3);
    expect(ends['authority']).toBeCloseTo(24 * 3_600, -3);
  });

  test('an expired certificate has a negative remaining time, and the file is read again each time', async () => {
    const place = placed('renewed', Date.now() - HOUR_MS);
    expect((await left(silent, place, inTheClear))['worker']).toBeLessThan(0);
    placed('renewed');
    expect((await left(silent, place, inTheClear))['worker']).toBeGreaterThan(0);
  });

  test('while an authority is replaced, the certificate that expires last is shown', async () => {
    const place = placed('exchange');
    const ca = join(place.tls.folder, 'ca.pem');
    const older = join(placed('older', Date.now() + HOUR_MS).tls.folder, 'certificate.pem');
    writeFileSync(ca, `${readFileSync(older, 'utf8')}${readFileSync(ca, 'utf8')}`);
    expect((await left(silent, place, inTheClear))['authority']).toBeCloseTo(24 * 3_600, -3);
  });

  test('a socket has no certificate; for Temporal, the certificate that the process loaded at its start is shown', async () => {
    const { tls } = placed('temporal', Date.now() + HOUR_MS);
    const [crt, key] = ['certificate.pem', 'key.pem'].map((name) => readFileSync(join(tls.folder, name)));
    const encrypted = {
      ...inTheClear,
      connectionOptions: { tls: { clientCertPair: { crt: crt ?? Buffer.of(), key: key ?? Buffer.of() } } },
    };
    expect(await left(silent, { path: '/run/socket' }, inTheClear)).toEqual({});
    expect(await left(silent, { path: '/run/socket' }, encrypted)).toEqual({ temporal: expect.closeTo(3_600, -3) });
  });
});
