import { createTestDatabase, type TestDatabase } from './database';

/** Creates one database for the tests of a file, and one organisation before each test. `begin` receives both. */
export function eachInItsOrganization(begin: (database: TestDatabase, orgId: string) => void | Promise<void>): void {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await createTestDatabase();
  });
  afterAll(() => database?.close());
  beforeEach(async () => begin(database, await database.createOrganization()));
}
