import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The export of activities reads the events of a period in the order of their dates. */
export class EventsByDate20261130120100 implements MigrationInterface {
  readonly name = 'EventsByDate20261130120100';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('CREATE INDEX events_by_date ON events (org_id, date_created, id)');
  }

  async down(): Promise<void> {
    throw new Error('Migrations go forward only: expand first, contract in a later release');
  }
}
