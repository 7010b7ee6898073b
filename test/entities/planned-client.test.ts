/** @own-modules: this file fills the list of statements that a process knows. */
import { LaneEntity } from '../../entities/outgoing/lane.entity';
import { newId } from '../../platform/ids';
import { createTestDatabase, type TestDatabase } from '../support/database';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database?.close());

/** Runs the statements in one transaction, on one connection. Returns how many prepared statements the server keeps. */
async function kept(statements: readonly string[]): Promise<number> {
  return database.db.withOrg(newId('organization'), async (tx) => {
    for (const text of statements) await tx.query(text, [1]);
    const rows = await tx.query<{ statement: string }>('SELECT statement FROM pg_prepared_statements');
    return rows.filter(({ statement }) => statements.includes(statement)).length;
  });
}

test('a statement with parameters is parsed and planned once, however often it runs', async () => {
  expect(await kept(['SELECT $1::integer AS a', 'SELECT $1::integer AS a', 'SELECT $1::integer AS b'])).toBe(2);
});

test('a failed statement can run again under its name', async () => {
  const cast = (value: string) =>
    database.db.withOrg(newId('organization'), (tx) => tx.query<{ n: number }>('SELECT $1::text::integer AS n', [value]));
  await expect(cast('one')).rejects.toThrow('invalid input syntax');
  await expect(cast('1')).resolves.toEqual([{ n: 1 }]);
});

test('a connection keeps at most a thousand statements', async () => {
  const texts = Array.from({ length: 1_001 }, (_, n) => `SELECT $1::integer + ${n}`);
  const first = await kept(texts);
  expect(first).toBeLessThanOrEqual(1_000);
  expect(first).toBeGreaterThan(900);
  expect(await kept(['SELECT $1::integer AS late'])).toBe(0);
});

test('statements without a result run in the order in which they were issued, and the first error ends the transaction', async () => {
  const orgId = await database.createOrganization();
  const lane = { orgId, network: 'EthereumSepolia', address: 'a' } as const;
  await database.db.withOrg(orgId, async (tx) => {
    await tx.insert(LaneEntity, lane);
    await tx.run(`INSERT INTO lanes (org_id, network, address) SELECT org_id, network, 'd' FROM lanes WHERE org_id = $1`, [
      orgId,
    ]);
    await tx.ensure(LaneEntity, lane);
    expect(await tx.rows(LaneEntity, 'WHERE t.org_id = $1', [orgId])).toHaveLength(2);
  });
  const twice = database.db.withOrg(orgId, async (tx) => {
    await tx.insert(LaneEntity, { ...lane, address: 'b' });
    await tx.insert(LaneEntity, lane);
    await tx.insert(LaneEntity, { ...lane, address: 'c' });
  });
  await expect(twice).rejects.toMatchObject({ code: '23505' });
  expect(await database.db.read(orgId).rows(LaneEntity, '')).toHaveLength(2);
});
