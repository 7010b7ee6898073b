import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * One index for each of the two queues (lines) of the outbox, work and events, sorted by organisation. A poll steps from one
 * organisation to the next without reading whole backlogs.
 */
export class OutboxTurns20261123090400 implements MigrationInterface {
  readonly name = 'OutboxTurns20261123090400';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE INDEX outbox_turns_events ON outbox (shard, org_id, seq) WHERE date_relayed IS NULL AND kind = 'event';
      CREATE INDEX outbox_turns_work ON outbox (shard, org_id, seq) WHERE date_relayed IS NULL AND kind <> 'event';
      DROP INDEX outbox_waiting_events, outbox_waiting_work;`);
  }

  async down(): Promise<void> {
    throw new Error('Migrations go forward only: expand first, contract in a later release');
  }
}
