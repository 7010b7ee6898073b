import { randomBytes } from 'node:crypto';
import { openStrongroomDatabase } from '../../entities/data-source';
import type { Database } from '../../entities/database';
import { OrganizationEntity } from '../../entities/organizations/organization.entity';
import { newId } from '../../platform/ids';
import { asSuperuser, databaseUrl, TEMPLATE_DATABASE, TEST_ROLE } from './roles';

type Stored = OrganizationEntity['settings'];

/** As in a local trial: most tests are about something else. */
const NO_WAITS: Stored = { voterCoolingHours: 0, recoveryWaitHours: 0, keyExportWaitHours: 0 };

export type TestDatabase = {
  readonly name: string;
  /** The API process's role, and the operator's commands'. */
  readonly appUrl: string;
  readonly workerUrl: string;
  readonly relayUrl: string;
  readonly ownerUrl: string;
  /** Under row-level security, with the rights of the API and of the worker. */
  readonly db: Database;
  /** One statement that no rule or trigger of the database stops, for rows that no process could have written. */
  readonly arrange: (sql: string, values: readonly unknown[]) => Promise<void>;
  /** A new organisation with nothing in it, in which nothing waits unless these settings say so; returns its id. */
  readonly createOrganization: (settings?: Stored) => Promise<string>;
  readonly close: () => Promise<void>;
};

/** A copy of the template; answers its name. */
export async function makeDatabase(): Promise<string> {
  const name = `strongroom_${randomBytes(6).toString('hex')}`;
  await asSuperuser((client) => client.query(`CREATE DATABASE ${name} TEMPLATE ${TEMPLATE_DATABASE} OWNER strongroom_owner`));
  return name;
}

/** Ends what is still connected to it, as a process that crashed may be. */
export async function dropDatabase(name: string): Promise<void> {
  await asSuperuser((client) => client.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`));
}

/** A migrated database of this test file's own. */
export async function createTestDatabase(poolMax = 8): Promise<TestDatabase> {
  const database = await openTestDatabase(await makeDatabase(), poolMax);
  return {
    ...database,
    close: async () => {
      await database.close();
      await dropDatabase(database.name);
    },
  };
}

/** A database that is there already; closing leaves it there, because other test files use it as well. */
export async function openTestDatabase(name: string, poolMax = 8): Promise<TestDatabase> {
  const db = await openStrongroomDatabase({ url: databaseUrl(TEST_ROLE, name), poolMax, applicationName: 'test' });
  return {
    name,
    appUrl: databaseUrl('strongroom_app', name),
    workerUrl: databaseUrl('strongroom_worker', name),
    relayUrl: databaseUrl('strongroom_relay', name),
    ownerUrl: databaseUrl('strongroom_owner', name),
    db,
    arrange: (sql, values) =>
      asSuperuser(async (client) => {
        await client.query(`SET session_replication_role = 'replica'`);
        await client.query(sql, [...values]);
      }, name),
    createOrganization: async (settings = NO_WAITS) => {
      const id = newId('organization');
      await db.withOrg(id, (tx) => tx.insert(OrganizationEntity, { id, name: `Organisation ${id}`, settings }));
      return id;
    },
    close: () => db.close(),
  };
}
