import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * A username is unique regardless of case, because mail addresses that differ only in case reach the same person. The app role
 * gets access to tenants for the operator's commands, which add organisations to a tenant.
 */
const people = `
DROP INDEX users_by_username;
CREATE UNIQUE INDEX users_by_username ON users (org_id, lower(username)) WHERE date_archived IS NULL;
CREATE INDEX users_by_creator ON users (org_id, created_by) WHERE is_service_account;
CREATE INDEX one_time_codes_by_user ON one_time_codes (org_id, user_id) WHERE date_consumed IS NULL;
CREATE INDEX challenges_by_user ON challenges (org_id, user_id) WHERE date_consumed IS NULL;
GRANT SELECT, INSERT ON tenants TO strongroom_app;
`;

export class People20261122010100 implements MigrationInterface {
  readonly name = 'People20261122010100';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(people);
  }

  async down(): Promise<void> {
    throw new Error('Migrations go forward only: expand first, contract in a later release');
  }
}
