import { openStrongroomDatabase } from '../../entities/data-source';
import { UserEntity } from '../../entities/users/user.entity';
import { newId } from '../../platform/ids';
import { createTestDatabase, type TestDatabase } from '../support/database';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database?.close());

type Transaction = { readonly since: string; readonly writable: string; readonly organization: string };
/** The time is text with microseconds. A Date would be the same for two transactions within one millisecond. */
const TRANSACTION = `SELECT transaction_timestamp()::text AS since, current_setting('transaction_read_only') AS writable,
  current_setting('strongroom.org_id') AS organization`;

test('values of every type arrive unchanged, whatever characters they contain', async () => {
  const reader = database.db.read(await database.createOrganization());
  const text = `it's "quoted", {braced}, back\\slashed, $1 and Größe`;
  const [row] = await reader.select(
    'SELECT $1::text AS text, $2::bigint::text AS number, $3::boolean AS flag, $4::text AS nothing, $5::timestamptz AS date, $6::text[] AS list',
    [text, -5, false, null, new Date('2030-01-02T03:04:05.678Z'), [text, '', 'NULL', 'a,b']],
  );
  const date = new Date('2030-01-02T03:04:05.678Z');
  expect(row).toEqual({ text, number: '-5', flag: false, nothing: null, date, list: [text, '', 'NULL', 'a,b'] });
});

test('reads that start together share one transaction, and a read that starts after their results runs in a new one', async () => {
  const reader = database.db.read(await database.createOrganization());
  const ask = async () => (await reader.select<Transaction>(TRANSACTION))[0]?.since;
  const together = await Promise.all([ask(), ask()]);
  expect(new Set(together).size).toBe(1);
  expect(await ask()).not.toBe(together[0]);
});

test('reads of two organisations never share a transaction', async () => {
  const orgs = [await database.createOrganization(), await database.createOrganization()];
  const seen = await Promise.all(orgs.map(async (orgId) => (await database.db.read(orgId).select<Transaction>(TRANSACTION))[0]));
  expect(seen.map((row) => row?.organization)).toEqual(orgs);
});

test('a connection that read for one organisation shows none of its rows to the next organisation, however often it is reused', async () => {
  const db = await openStrongroomDatabase({ url: database.appUrl, poolMax: 1, applicationName: 'one' });
  const [mine, other] = [await database.createOrganization(), await database.createOrganization()];
  const user = { orgId: mine, id: newId('user'), username: newId('user'), name: 'Somebody', kind: 'CustomerEmployee' as const };
  await db.withOrg(mine, (tx) => tx.insert(UserEntity, user));
  for (let round = 0; round < 8; round += 1) {
    expect(await db.read(mine).rows(UserEntity, 'WHERE t.id = $1', [user.id])).toHaveLength(1);
    expect(await db.read(other).rows(UserEntity, 'WHERE t.id = $1', [user.id])).toEqual([]);
  }
  await db.close();
});

test('a read cannot write', async () => {
  const reader = database.db.read(await database.createOrganization());
  await expect(reader.select(`UPDATE users SET name = 'changed' RETURNING id`)).rejects.toThrow('read-only transaction');
});

test('an invalid query fails alone, and the next one succeeds', async () => {
  const reader = database.db.read(await database.createOrganization());
  const answers = await Promise.allSettled([
    reader.select('SELECT 1 AS one'),
    reader.select('SELECT no_such_column'),
    reader.select('SELECT 2 AS two'),
    reader.select('SELECT $1::text', ['zero \u0000']),
  ]);
  expect(answers.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled', 'rejected']);
  await expect(reader.select('SELECT 3 AS three')).resolves.toEqual([{ three: 3 }]);
});
