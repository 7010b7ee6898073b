import { randomBytes } from 'node:crypto';
import { openStrongroomDatabase } from '../../entities/data-source';
import type { Database } from '../../entities/database';
import { OrganizationEntity } from '../../entities/organizations/organization.entity';
import { newId } from '../../platform/ids';
import { asSuperuser, databaseUrl, TEMPLATE_DATABASE, TEST_ROLE } from './roles';

type Stored = OrganizationEntity['settings'];

/** The waiting times of a local trial. Most tests do not need longer ones. */
const NO_WAITS: Stored = { voterCoolingHours: 0, recoveryWaitHours: 0, keyExportWaitHours: 0 };

export type TestDatabase = {
  readonly name: string;
  /** The address for the role of the API process and of the operator's commands. */
  readonly appUrl: string;
  readonly workerUrl: string;
  readonly relayUrl: string;
  readonly ownerUrl: string;
  /** The database under row-level security, with the rights of the API and of the worker. */
  readonly db: Database;
  /** Runs a statement without the rules and triggers of the database, for rows that no process could have written. */
  readonly arrange: (sql: string, values: readonly unknown[]) => Promise<void>;
  /** Creates an empty organisation, in which nothing waits unless these settings say so. Returns its id. */
  readonly createOrganization: (settings?: Stored) => Promise<string>;
  readonly close: () => Promise<void>;
};

/** Copies the template, and returns the name of the copy. Whole files are copied twice as fast as block by block. */
export async function makeDatabase(): Promise<string> {
  const name = `strongroom_${randomBytes(6).toString('hex')}`;
  await asSuperuser((client) =>
    client.query(`CREATE DATABASE ${name} TEMPLATE ${TEMPLATE_DATABASE} STRATEGY FILE_COPY OWNER strongroom_owner`),
  );
  return name;
}

/** Drops a database, and ends its open connections, for example that of a crashed process. */
export async function dropDatabase(name: string): Promise<void> {
  await asSuperuser((client) => client.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`));
}

/** Creates a migrated database for this test file. */
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

/** Opens an existing database. `close` does not drop the database, because other test files can use it too. */
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
