import { createRestoreLock } from '../../../application/deployment/restore-lock';
import { freezeStore } from '../../../entities/deployment/freeze.store';
import { createTestDatabase, type TestDatabase } from '../../support/database';
import { asSuperuser } from '../../support/roles';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database?.close());

const asOwner = (sql: string) => asSuperuser((client) => client.query(sql), database.name);

test('a process reads the freeze at most every two seconds, and stays frozen until it reads that the freeze has ended', async () => {
  let nowMs = 0;
  const freeze = createRestoreLock(database.db, () => nowMs);
  await freeze.assertThawed();
  await asOwner('UPDATE deployment SET date_frozen = clock_timestamp()');
  nowMs = 1_999;
  await freeze.assertThawed();
  nowMs = 2_000;
  await expect(freeze.assertThawed()).rejects.toMatchObject({ code: 'Frozen', status: 503, retryable: true });
  await asOwner('UPDATE deployment SET date_frozen = NULL');
  nowMs = 4_000;
  await freeze.assertThawed();
});

test("the error states who or what froze the deployment, and contains the operator's reason", async () => {
  const refusal = () => createRestoreLock(database.db).assertThawed();
  await freezeStore.freeze(database.ownerUrl, 'The laptop of the treasurer is gone');
  await expect(refusal()).rejects.toMatchObject({
    code: 'Frozen',
    message: expect.stringMatching(/^The operator has frozen this deployment.*Reason: The laptop of the treasurer is gone$/),
  });
  await freezeStore.thaw(database.ownerUrl);
  await asOwner(
    `UPDATE deployment SET date_frozen = clock_timestamp(), freeze_kind = 'Restored', reason = 'Restored from a backup'`,
  );
  await expect(refusal()).rejects.toMatchObject({
    code: 'Frozen',
    message: expect.stringMatching(/^This deployment was restored/),
  });
  await freezeStore.thaw(database.ownerUrl);
});

test('a manual freeze of a restored deployment keeps the kind Restored and the first date, and adds its reason', async () => {
  const standing = () => createRestoreLock(database.db).standing();
  expect(await standing()).toBeNull();
  const since = new Date('2026-01-02T03:04:05.678Z');
  await asOwner(
    `UPDATE deployment SET date_frozen = '${since.toISOString()}', freeze_kind = 'Restored', reason = 'Restored from a backup'`,
  );
  await freezeStore.freeze(database.ownerUrl, 'It looks wrong');
  expect(await standing()).toEqual({ kind: 'Restored', reason: 'Restored from a backup; It looks wrong', since });
  await freezeStore.thaw(database.ownerUrl);
});

test('a process that cannot read whether the deployment is frozen refuses requests', async () => {
  await asOwner('ALTER TABLE deployment RENAME TO hidden');
  await expect(createRestoreLock(database.db).assertThawed()).rejects.toThrow(/deployment/);
  await asOwner(
    'ALTER TABLE hidden RENAME TO deployment; CREATE TEMPORARY TABLE kept AS TABLE deployment; DELETE FROM deployment',
  );
  await expect(createRestoreLock(database.db).assertThawed()).rejects.toMatchObject({
    code: 'Frozen',
    message: expect.stringMatching(/unknown whether this deployment is frozen/),
  });
});

test('neither the service nor an organisation can end a freeze', async () => {
  const ended = database.db.withOrg('', (tx) => tx.query('UPDATE deployment SET date_frozen = NULL'));
  await expect(ended).rejects.toThrow(/permission denied/);
});
