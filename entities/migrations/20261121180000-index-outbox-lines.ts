import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * One index per line of the outbox. With one for both, the oldest rows of a line were found by sorting everything that waits, so
 * that a poll cost the more the longer the backlog was.
 */
export class IndexOutboxLines20261121180000 implements MigrationInterface {
  readonly name = 'IndexOutboxLines20261121180000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE INDEX outbox_waiting_events ON outbox (shard, seq) WHERE date_relayed IS NULL AND kind = 'event';
      CREATE INDEX outbox_waiting_work ON outbox (shard, seq) WHERE date_relayed IS NULL AND kind <> 'event';
      DROP INDEX outbox_waiting;`);
  }

  async down(): Promise<void> {
    throw new Error('Migrations go forward only: expand first, contract in a later release');
  }
}
