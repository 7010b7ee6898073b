import { Client } from 'pg';

/** The roles of the database. In the tests, each has the password `ROLE_PASSWORD`. */
export const ROLES = ['strongroom_owner', 'strongroom_app', 'strongroom_worker', 'strongroom_relay'] as const;
/** A test runs the code of every process, so the test's role has the rights of the API and of the worker. */
export const TEST_ROLE = 'strongroom_test';
/** The migrated database, of which test databases are copies. */
export const TEMPLATE_DATABASE = 'strongroom_template';
export type Role = (typeof ROLES)[number] | typeof TEST_ROLE;
export const ROLE_PASSWORD = 'strongroom-test';

/** The superuser address of the throw-away server that the test runner started. */
export function postgresUrl(): string {
  const url = process.env['TEST_POSTGRES_URL'];
  if (!url) throw new Error('TEST_POSTGRES_URL is not set: run the tests through `npm test`, which starts a server');
  return url;
}

export function databaseUrl(role: Role, database: string): string {
  const url = new URL(postgresUrl());
  url.username = role;
  url.password = ROLE_PASSWORD;
  url.pathname = `/${database}`;
  return url.toString();
}

export async function asSuperuser<T>(work: (client: Client) => Promise<T>, database?: string): Promise<T> {
  const url = new URL(postgresUrl());
  if (database) url.pathname = `/${database}`;
  const client = new Client({ connectionString: url.toString() });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
