import { openStrongroomDatabase } from '../../entities/data-source';
import { createTestDatabase } from '../support/database';
import { asSuperuser } from '../support/roles';

test('claims and signed bytes are on disk when their commit returns, whatever the server’s default says', async () => {
  const database = await createTestDatabase();
  try {
    await asSuperuser((client) => client.query(`ALTER DATABASE ${database.name} SET synchronous_commit = off`));
    const db = await openStrongroomDatabase({ url: database.appUrl, poolMax: 1, applicationName: 'test' });
    try {
      const rows = await db.withOrg(await database.createOrganization(), (tx) => tx.query('SHOW synchronous_commit'));
      expect(rows).toEqual([{ synchronous_commit: 'on' }]);
    } finally {
      await db.close();
    }
  } finally {
    await database.close();
  }
});
