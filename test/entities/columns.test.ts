import { getMetadataArgsStorage } from 'typeorm';
import { ENTITIES } from '../../entities/entities';
import { createTestDatabase, type TestDatabase } from '../support/database';
import { asSuperuser } from '../support/roles';

/** TypeORM itself manages the first table. The other tables belong to no organisation and are written with plain SQL. */
const WITHOUT_ENTITY = [
  'migrations',
  'outbox_leases',
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
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());

test('entities and migrations define the same tables, columns and nullability', async () => {
  const migrated = await asSuperuser(async (client) => {
    const { rows } = await client.query<{ name: string; nullable: string }>(
      `SELECT table_name || '.' || column_name AS name, is_nullable AS nullable FROM information_schema.columns
       WHERE table_schema = 'public' AND table_name <> ALL($1)`,
      [WITHOUT_ENTITY],
    );
    return rows.map(({ name, nullable }) => `${name}${nullable === 'YES' ? ' null' : ''}`).sort();
  }, database.name);

  const { tables, columns } = getMetadataArgsStorage();
  const known = new Set<unknown>(ENTITIES);
  const declared = tables
    .filter(({ target }) => known.has(target))
    .flatMap((table) =>
      columns
        .filter(({ target }) => target === table.target)
        .map(({ options, propertyName }) => `${table.name}.${options.name ?? propertyName}${options.nullable ? ' null' : ''}`),
    );
  expect(declared.sort()).toEqual(migrated);
});
