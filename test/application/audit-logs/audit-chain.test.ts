import { readAuditLog } from '../../../application/audit-logs/read-audit-log';
import { CHAINS } from '../../../application/hash-chains/chains';
import { numberAll } from '../../../application/hash-chains/number-pending';
import { auditEntryStore } from '../../../entities/audit-logs/audit-entry.store';
import type { Database, Tx } from '../../../entities/database';
import { type AuditItem, auditDigest, CHAIN_START, followAudit, linksAfter } from '../../../platform/hash-chain';
import { createTestDatabase, type TestDatabase } from '../../support/database';
import { dyingAfter } from '../../support/dying-database';

let database: TestDatabase;
let db: Database;
let orgId: string;
beforeAll(async () => {
  database = await createTestDatabase();
  ({ db } = database);
});
afterAll(() => database?.close());
beforeEach(async () => {
  orgId = await database.createOrganization();
});

const addIn = (tx: Tx, on: boolean) => auditEntryStore.command(tx, 'org:service-account-votes', { on });
const add = (on = true) => db.withOrg(orgId, (tx) => addIn(tx, on));
const number = (over: Database = db) => numberAll(over, CHAINS.audit, orgId);
const log = async () => (await readAuditLog(db.read(orgId), { after: CHAIN_START, limit: 500 })).items;
const idsOf = (items: readonly AuditItem[]) => items.map(({ entry }) => entry.id);

test('each entry gets the next place once, and the chain can be verified', async () => {
  for (const on of [true, false, true]) await add(on);
  expect(await log()).toEqual([]);
  expect([(await number()).size, (await number()).size]).toEqual([3, 0]);
  const items = await log();
  expect(items.map(({ sequence, entry: { kind, data } }) => [sequence, kind, data])).toEqual(
    [true, false, true].map((on, at) => [at + 1, 'OperatorCommand', { command: 'org:service-account-votes', details: { on } }]),
  );
  expect(followAudit(orgId, CHAIN_START, items)).toEqual({ sequence: 3, hash: items[2]?.hash });
});

test('an entry is written with its change or not at all', async () => {
  const failing = db.withOrg(orgId, async (tx) => {
    await addIn(tx, true);
    throw new Error('the change failed');
  });
  await expect(failing).rejects.toThrow('the change failed');
  expect((await number()).size).toBe(0);
});

test('two sequencers at once number every entry once, even while entries are added', async () => {
  const adding = Promise.all(Array.from({ length: 30 }, () => add()));
  const numbering = async () => {
    for (let round = 0; round < 10; round += 1) await number();
  };
  await Promise.all([adding, numbering(), numbering()]);
  await number();
  const items = await log();
  expect(new Set(idsOf(items)).size).toBe(30);
  expect(followAudit(orgId, CHAIN_START, items)).toEqual({ sequence: 30, hash: items.at(-1)?.hash });
});

test('a sequencer that dies before or after it gives an entry its place leaves no gap and no duplicate', async () => {
  await add();
  const before: Database = {
    ...db,
    withOrg: (org, work) =>
      db.withOrg(org, async (tx) => {
        await work(tx);
        throw new Error('killed');
      }),
  };
  await expect(number(before)).rejects.toThrow('killed');
  expect(await log()).toEqual([]);
  await expect(number(dyingAfter(db, 1))).rejects.toThrow('killed');
  await add(false);
  expect((await number()).size).toBe(1);
  const items = await log();
  expect(items.map(({ entry }) => entry.data['details'])).toEqual([{ on: true }, { on: false }]);
  expect(followAudit(orgId, CHAIN_START, items)).toMatchObject({ sequence: 2 });
});

test('waiting rows that another party repeats or invents do not stop the numbering', async () => {
  await add();
  await number();
  const [{ entry } = { entry: { id: '' } }] = await log();
  const wait = (id: string) =>
    db.withOrg(orgId, (tx) => tx.query('INSERT INTO audit_pending (org_id, entry_id) VALUES ($1, $2)', [orgId, id]));
  await wait(entry.id);
  await wait('au-invented');
  await expect(wait(entry.id)).rejects.toThrow('duplicate key');
  await add(false);
  expect((await number()).size).toBe(1);
  expect(followAudit(orgId, CHAIN_START, await log())).toMatchObject({ sequence: 2 });
});

test('the worker’s database role cannot remove an entry from the waiting list before readers see the place of the entry', async () => {
  await add();
  const [waiting] = await db.read(orgId).select<{ id: string }>('SELECT entry_id AS id FROM audit_pending');
  const id = waiting?.id ?? '';
  const asWorker = (...statements: readonly string[]) =>
    db.withOrg(orgId, async (tx) => {
      for (const sql of statements) await tx.query(sql);
    });
  const remove = `DELETE FROM audit_pending WHERE entry_id = '${id}'`;
  const placed = (sequence: number) =>
    `INSERT INTO audit_places (org_id, sequence, entry_id, digest, hash) VALUES ('${orgId}', ${sequence}, '${id}', 'x', 'x')`;
  const stays = 'stays in the waiting list';
  await expect(asWorker(remove)).rejects.toThrow(stays);
  await expect(asWorker('CREATE TEMP TABLE audit_places AS SELECT * FROM audit_pending', remove)).rejects.toThrow(
    /permission denied|stays in the waiting list/,
  );
  await expect(asWorker(`UPDATE audit_pending SET entry_id = 'au-other'`)).rejects.toThrow('permission denied');
  await expect(asWorker('TRUNCATE audit_pending')).rejects.toThrow('permission denied');
  for (const sequence of [0, -1]) await expect(asWorker(placed(sequence), remove)).rejects.toThrow('audit_places_from_one');
  // Every reader sees the place that the worker chose, and finds that it is not the next place.
  await asWorker(placed(2), remove);
  expect(followAudit(orgId, CHAIN_START, await log())).toEqual({ sequence: 1, fault: 'Gap' });
});

test('the audit log and the feed have different chains', async () => {
  await add();
  await number();
  const [item] = await log();
  const digest = item ? auditDigest(item.entry) : '';
  expect(item).toMatchObject({ digest });
  expect(linksAfter('audit', orgId, CHAIN_START, [digest])[0]?.hash).toBe(item?.hash);
  expect(linksAfter('feed', orgId, CHAIN_START, [digest])[0]?.hash).not.toBe(item?.hash);
});

test.each<[string, string, object]>([
  [
    'an edited entry',
    `UPDATE audit_entries SET data = data || '{"edited": true}' WHERE org_id = $1 AND id = $2`,
    { sequence: 2, fault: 'ContentAltered' },
  ],
  [
    'an edited date',
    `UPDATE audit_entries SET date_created = date_created - interval '1 hour' WHERE org_id = $1 AND id = $2`,
    { sequence: 2, fault: 'ContentAltered' },
  ],
  ['a removed entry', 'DELETE FROM audit_entries WHERE org_id = $1 AND id = $2', { sequence: 2, fault: 'Gap' }],
  ['a removed place', 'DELETE FROM audit_places WHERE org_id = $1 AND entry_id = $2', { sequence: 2, fault: 'Gap' }],
  [
    'a changed hash',
    `UPDATE audit_places SET hash = sha256('x') WHERE org_id = $1 AND entry_id = $2`,
    { sequence: 2, fault: 'ChainBroken' },
  ],
])('a reader finds %s in the database', async (_what, sql, fault) => {
  for (const on of [true, false, true]) await add(on);
  await number();
  const [, second = ''] = idsOf(await log());
  await database.arrange(sql, [orgId, second]);
  expect(followAudit(orgId, CHAIN_START, await log())).toEqual(fault);
});
