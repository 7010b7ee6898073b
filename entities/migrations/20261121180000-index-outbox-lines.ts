import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The rows of the outbox form two queues (lines), work and events, and each queue gets an index. With a single index for both, a
 * poll sorted all waiting rows to find the oldest rows of a queue, so a longer backlog made each poll slower.
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
