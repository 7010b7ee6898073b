import type { MigrationInterface, QueryRunner } from 'typeorm';

/** An index that finds the actions of one user without reading the actions of other users. */
export class IndexAudit20261122010600 implements MigrationInterface {
  readonly name = 'IndexAudit20261122010600';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      'CREATE INDEX user_actions_by_user ON user_actions (org_id, user_id, date_consumed, id) WHERE date_consumed IS NOT NULL',
    );
  }

  async down(): Promise<void> {
    throw new Error('Migrations go forward only: expand first, contract in a later release');
  }
}
