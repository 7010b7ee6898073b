import { createTestDatabase, type TestDatabase } from './database';

/** One database for the tests of a file, and for each of them an organisation of its own, which `begin` takes. */
export function eachInItsOrganization(begin: (database: TestDatabase, orgId: string) => void | Promise<void>): void {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await createTestDatabase();
  });
  afterAll(() => database?.close());
  beforeEach(async () => begin(database, await database.createOrganization()));
}
