import { createFreeze } from '../../application/freeze';
import { createTestDatabase, type TestDatabase } from '../support/database';
import { asSuperuser } from '../support/roles';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database?.close());

const asOwner = (sql: string) => asSuperuser((client) => client.query(sql), database.name);

test('a freeze holds until a later look finds it gone, and a look counts for two seconds', async () => {
  let nowMs = 0;
  const freeze = createFreeze(database.db, () => nowMs);
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

test('who cannot read whether it is frozen is frozen', async () => {
  await asOwner('ALTER TABLE deployment RENAME TO hidden');
  await expect(createFreeze(database.db).assertThawed()).rejects.toThrow(/deployment/);
  await asOwner(
    'ALTER TABLE hidden RENAME TO deployment; CREATE TEMPORARY TABLE kept AS TABLE deployment; DELETE FROM deployment',
  );
  await expect(createFreeze(database.db).assertThawed()).rejects.toMatchObject({ code: 'Frozen' });
});

test('neither the service nor an organisation can end a freeze', async () => {
  const ended = database.db.withOrg('', (tx) => tx.query('UPDATE deployment SET date_frozen = NULL'));
  await expect(ended).rejects.toThrow(/permission denied/);
});
