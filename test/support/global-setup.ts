import { execFileSync } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { migrate } from '../../entities/migrate';
import { asSuperuser, databaseUrl, ROLE_PASSWORD, ROLES, TEMPLATE_DATABASE, TEST_ROLE } from './roles';
import { JEST_PID_VARIABLE, STANDS_VARIABLE } from './stand';

const ROOT = join(__dirname, '..', '..');

/**
 * Builds `dist/`, because the tests run the compiled files. Creates the roles and a migrated template database once; test files
 * copy the template, which is faster than a migration.
 */
export default async function globalSetup(): Promise<void> {
  execFileSync(process.execPath, [join(ROOT, 'scripts', 'build.mjs')], { stdio: ['ignore', 'ignore', 'inherit'] });
  if (!process.env['TEST_POSTGRES_URL']) return;
  process.env[STANDS_VARIABLE] = mkdtempSync(join(tmpdir(), 'strongroom-stands-'));
  process.env[JEST_PID_VARIABLE] = String(process.pid);
  await asSuperuser(async (client) => {
    for (const role of [...ROLES, TEST_ROLE]) {
      const { rowCount } = await client.query('SELECT 1 FROM pg_roles WHERE rolname = $1', [role]);
      if (rowCount === 0) await client.query(`CREATE ROLE ${role} LOGIN PASSWORD '${ROLE_PASSWORD}'`);
    }
    await client.query(`GRANT strongroom_app, strongroom_worker TO ${TEST_ROLE}`);
    await client.query(`DROP DATABASE IF EXISTS ${TEMPLATE_DATABASE} WITH (FORCE)`);
    await client.query(`CREATE DATABASE ${TEMPLATE_DATABASE} OWNER strongroom_owner`);
  });
  await migrate(databaseUrl('strongroom_owner', TEMPLATE_DATABASE));
  // Tests arrange rows that no process could write: an expired action, a key of small order, a wait that is over.
  const grant = `GRANT UPDATE ON user_actions, credentials, recoveries, reissue_grants TO ${TEST_ROLE}`;
  await asSuperuser((client) => client.query(grant), TEMPLATE_DATABASE);
}
