import type { MigrationInterface, QueryRunner } from 'typeorm';

/** A transaction that the service makes either replaces another transaction or pays for another transaction. */
const madeForAnother = `
ALTER TABLE transfers DROP CONSTRAINT transfers_made_by_service;
ALTER TABLE transfers ADD CONSTRAINT transfers_made_by_service
  CHECK (NOT made_by_service OR replaces_id IS NOT NULL OR pays_for_id IS NOT NULL);
`;

export class MadeForAnother20261122060310 implements MigrationInterface {
  readonly name = 'MadeForAnother20261122060310';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(madeForAnother);
  }

  async down(): Promise<void> {
    throw new Error('Migrations go forward only: expand first, contract in a later release');
  }
}
