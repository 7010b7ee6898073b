import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * An approved export or import is carried out only once. The change request contains the id of the key request that used the
 * approval.
 */
export class UsedGrants20261123080400 implements MigrationInterface {
  readonly name = 'UsedGrants20261123080400';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE change_requests ADD COLUMN used_by text COLLATE "C";
      CREATE INDEX change_requests_unused_grants ON change_requests (org_id, requester_user_id, (change ->> 'requestDigest'))
        WHERE change ->> 'requestDigest' IS NOT NULL;
      CREATE UNIQUE INDEX change_requests_by_use ON change_requests (org_id, used_by) WHERE used_by IS NOT NULL;
      GRANT UPDATE (used_by) ON change_requests TO strongroom_app;`);
  }

  async down(): Promise<void> {
    throw new Error('Migrations go forward only: expand first, contract in a later release');
  }
}
