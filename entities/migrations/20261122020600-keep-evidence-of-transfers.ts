import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The signed user action of a transfer, which the order to the signer includes. Null in rows from earlier releases. */
export class KeepEvidenceOfTransfers20261122020600 implements MigrationInterface {
  readonly name = 'KeepEvidenceOfTransfers20261122020600';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE transfers ADD user_action_id text COLLATE "C"');
  }

  async down(): Promise<void> {
    throw new Error('Migrations go forward only: expand first, contract in a later release');
  }
}
