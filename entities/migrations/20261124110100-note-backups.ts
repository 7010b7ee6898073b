import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The start of the last backup, from which the worker computes the age of the backup. Without a backup, the age is measured from
 * the founding of the deployment, or from this migration if the deployment is older.
 */
export class NoteBackups20261124110100 implements MigrationInterface {
  readonly name = 'NoteBackups20261124110100';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE deployment ADD COLUMN date_founded timestamptz(3) NOT NULL DEFAULT clock_timestamp();
      ALTER TABLE deployment ADD COLUMN date_backed_up timestamptz(3);
      GRANT SELECT (date_founded, date_backed_up) ON deployment TO strongroom_worker;`);
  }

  async down(): Promise<void> {
    throw new Error('Migrations go forward only: expand first, contract in a later release');
  }
}
