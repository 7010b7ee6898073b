import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The release that last brought the schema up to date: an upgrade says from which release it comes, and names the newer one that it refuses to go behind. */
export class KeepRelease20261124110200 implements MigrationInterface {
  readonly name = 'KeepRelease20261124110200';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE deployment ADD COLUMN release text COLLATE "C"`);
  }

  async down(): Promise<void> {
    throw new Error('Migrations go forward only: expand first, contract in a later release');
  }
}
