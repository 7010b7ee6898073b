import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * `date_recorded` is the time at which a movement got its present block, which a reorganisation can change. An export leaves out
 * movements that were recorded after the export began. The default applies only to new rows, so that the table need not be
 * rewritten.
 */
const dates = `
ALTER TABLE movements ADD COLUMN date_recorded timestamptz(3);
ALTER TABLE movements ALTER COLUMN date_recorded SET DEFAULT clock_timestamp();
`;

export class DatesOfPlaces20261130170000 implements MigrationInterface {
  readonly name = 'DatesOfPlaces20261130170000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(dates);
  }

  async down(): Promise<void> {
    throw new Error('Migrations go forward only: expand first, contract in a later release');
  }
}
