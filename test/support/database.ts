import { randomBytes } from 'node:crypto';
import { openStrongroomDatabase } from '../../entities/data-source';
import type { Database } from '../../entities/database';
import { OrganizationEntity } from '../../entities/organizations/organization.entity';
import { newId } from '../../platform/ids';
import { TEMPLATE_DATABASE } from './global-setup';
import { asSuperuser, databaseUrl } from './roles';

export type TestDatabase = {
  readonly name: string;
  readonly appUrl: string;
  readonly relayUrl: string;
  readonly ownerUrl: string;
  /** As the app role, under row-level security. */
  readonly db: Database;
  /** A new organisation with nothing in it; answers its id. */
  readonly createOrganization: () => Promise<string>;
  readonly close: () => Promise<void>;
};

/** A migrated database of this test file's own. */
export async function createTestDatabase(poolMax = 8): Promise<TestDatabase> {
  const name = `strongroom_${randomBytes(6).toString('hex')}`;
  await asSuperuser((client) => client.query(`CREATE DATABASE ${name} TEMPLATE ${TEMPLATE_DATABASE} OWNER strongroom_owner`));
  const appUrl = databaseUrl('strongroom_app', name);
  const db = await openStrongroomDatabase({ url: appUrl, poolMax, applicationName: 'test' });
  return {
    name,
    appUrl,
    relayUrl: databaseUrl('strongroom_relay', name),
    ownerUrl: databaseUrl('strongroom_owner', name),
    db,
    createOrganization: async () => {
      const id = newId('organization');
      await db.withOrg(id, (tx) => tx.insert(OrganizationEntity, { id, name: `Organisation ${id}` }));
      return id;
    },
    close: async () => {
      await db.close();
      await asSuperuser((client) => client.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`));
    },
  };
}
