import { auditEntryStore } from '../../entities/audit-logs/audit-entry.store';
import { charterStore } from '../../entities/charters/charter.store';
import { inOwnerTransaction } from '../../entities/deployment/as-owner';
import { backupNoteStore } from '../../entities/deployment/backup-note.store';
import { freezeStore } from '../../entities/deployment/freeze.store';
import { rotationStore } from '../../entities/keys/rotation.store';
import { createTestDatabase, type TestDatabase } from '../support/database';
import { asSuperuser } from '../support/roles';

let database: TestDatabase;
let orgIds: readonly string[];
beforeAll(async () => {
  database = await createTestDatabase();
  orgIds = [await database.createOrganization(), await database.createOrganization()];
});
afterAll(() => database?.close());

const entriesOf = async (orgId: string) =>
  (
    await database.db
      .read(orgId)
      .select<{ kind: string; data: object }>('SELECT kind, data FROM audit_entries ORDER BY date_created, id')
  ).map(({ data }) => data);

test('a freeze, its release and a backup are entered in the log of every organisation, each only if its change is committed', async () => {
  await freezeStore.freeze(database.ownerUrl, 'A laptop is gone');
  await freezeStore.thaw(database.ownerUrl);
  const begun = new Date('2026-11-30T10:00:00.000Z');
  expect(await backupNoteStore.note(database.ownerUrl, begun)).toBe(true);
  const failing = inOwnerTransaction(database.ownerUrl, async (client) => {
    await auditEntryStore.commandOnAll(client, 'restore', {});
    throw new Error('the change failed');
  });
  await expect(failing).rejects.toThrow('the change failed');
  for (const orgId of orgIds)
    expect(await entriesOf(orgId)).toEqual([
      { command: 'freeze', details: { reason: 'A laptop is gone' } },
      { command: 'reconcile --release', details: {} },
      { command: 'backup', details: { dateBegun: begun.toISOString() } },
    ]);
});

test('a freeze does not wait for the upgrade of a schema without an audit log', async () => {
  await asSuperuser((client) => client.query('ALTER TABLE audit_entries RENAME TO audit_entries_later'), database.name);
  await freezeStore.freeze(database.ownerUrl, 'A laptop is gone');
  expect((await freezeStore.find(database.ownerUrl))?.dateFrozen).toBeInstanceOf(Date);
  await freezeStore.thaw(database.ownerUrl);
  await asSuperuser((client) => client.query('ALTER TABLE audit_entries_later RENAME TO audit_entries'), database.name);
});

test('a charter that comes into force is entered once, however often it is read', async () => {
  const orgId = await database.createOrganization();
  const [first, second] = ['ab'.repeat(32), 'cd'.repeat(32)];
  for (const [sequence, digest] of [
    [1, first],
    [1, first],
    [2, second],
    [1, first],
  ] as const)
    await database.db.withOrg(orgId, (tx) => charterStore.see(tx, { sequence, digest, text: '{"members":[]}' }));
  expect(await entriesOf(orgId)).toEqual([
    { sequence: 1, digest: first },
    { sequence: 2, digest: second },
  ]);
});

test('a rotation and the destruction of a data key are entered once', async () => {
  const orgId = await database.createOrganization();
  const keys = ['dek-1', 'dek-2'].map((dekId) => ({ dekId, kekId: 'kek-1', wrappedHex: 'aa', commitHex: 'bb' }) as never);
  const [first, second] = keys as [never, never];
  const within = <T>(work: (tx: never) => Promise<T>) => database.db.withOrg(orgId, (tx) => work(tx as never));
  for (const key of [first, first, second]) await within((tx) => rotationStore.beginUsing(tx, key));
  const rewrapped = { ...(first as object), kekId: 'kek-2', wrappedHex: 'cc' } as never;
  expect(await within((tx) => rotationStore.rewrap(tx, first, rewrapped))).toBe(true);
  expect(await within((tx) => rotationStore.rewrap(tx, first, rewrapped))).toBe(false);
  for (let n = 0; n < 2; n += 1) await within((tx) => rotationStore.destroy(tx, 'dek-1'));
  expect(await entriesOf(orgId)).toEqual([
    { command: 'keys:rotate-dek', details: { dataKeyId: 'dek-1' } },
    { command: 'keys:rotate-dek', details: { dataKeyId: 'dek-2' } },
    { command: 'keys:rotate-kek', details: { dataKeyId: 'dek-1', kekId: 'kek-2' } },
    { command: 'keys:destroy-dek', details: { dataKeyId: 'dek-1' } },
  ]);
});
