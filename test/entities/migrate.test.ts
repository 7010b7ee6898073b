import { randomBytes } from 'node:crypto';
import { Client } from 'pg';
import { DataSource } from 'typeorm';
import { openStrongroomDatabase } from '../../entities/data-source';
import { migrate } from '../../entities/migrate';
import { CreateFoundation20261121000000 } from '../../entities/migrations/20261121000000-create-foundation';
import { outboxStore } from '../../entities/outbox/outbox.store';
import { newId } from '../../platform/ids';
import { asSuperuser, databaseUrl } from '../support/roles';

const name = `strongroom_old_${randomBytes(6).toString('hex')}`;
const ownerUrl = databaseUrl('strongroom_owner', name);

beforeAll(async () => {
  await asSuperuser((client) => client.query(`CREATE DATABASE ${name} OWNER strongroom_owner`));
});
afterAll(() => asSuperuser((client) => client.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`)));

/** Leaves the database as the first release would. */
async function firstRelease(): Promise<void> {
  const source = new DataSource({
    type: 'postgres',
    url: ownerUrl,
    migrations: [CreateFoundation20261121000000],
    installExtensions: false,
  });
  await source.initialize();
  await source.runMigrations({ transaction: 'each' });
  await source.destroy();
}

test('a database of the first release is migrated to the current release once, and keeps its rows', async () => {
  await firstRelease();
  const orgId = newId('organization');
  const url = databaseUrl('strongroom_app', name);
  const db = await openStrongroomDatabase({ url, poolMax: 2, applicationName: 'test' });
  const start = { kind: 'start', aggregateId: 'xfr-1', dedupeKey: 'start:xfr-1', routing: { workflow: 'transfer' } } as const;
  await db.withOrg(orgId, async (tx) => {
    // The row is written in plain SQL, because entities name the columns of this release.
    await tx.query('INSERT INTO organizations (id, name) VALUES ($1, $2)', [orgId, 'Old']);
    await outboxStore.add(tx, start);
  });

  expect((await migrate(ownerUrl)).length).toBeGreaterThan(0);
  expect(await migrate(ownerUrl)).toEqual([]);

  await db.withOrg(orgId, (tx) => outboxStore.add(tx, start));
  await db.close();
  const relay = new Client({ connectionString: databaseUrl('strongroom_relay', name) });
  await relay.connect();
  expect(
    (await relay.query('SELECT o.id, count(b.id)::int AS rows FROM organizations o JOIN outbox b ON true GROUP BY 1')).rows,
  ).toEqual([{ id: orgId, rows: 1 }]);
  await relay.end();
});
