import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The release that last upgraded the schema. An upgrade reports this release, and refuses to replace a newer release. */
export class KeepRelease20261124110200 implements MigrationInterface {
  readonly name = 'KeepRelease20261124110200';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE deployment ADD COLUMN release text COLLATE "C"`);
  }

  async down(): Promise<void> {
    throw new Error('Migrations go forward only: expand first, contract in a later release');
  }
}
