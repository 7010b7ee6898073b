import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The scanner finds a signed transaction in a block by its id. Only the worker reads the chain, so only the worker writes the
 * fee.
 */
const signatures = `
ALTER TABLE signatures ADD COLUMN fee_units numeric(78,0) CHECK (fee_units >= 0);
CREATE INDEX signatures_by_transaction ON signatures (org_id, tx_hash) WHERE tx_hash IS NOT NULL;
GRANT UPDATE (fee_units) ON signatures TO strongroom_worker;
`;

/** A reverted transaction moves nothing, but its fee is a movement of the sender. */
const movements = 'ALTER TABLE movements ADD COLUMN is_reverted boolean NOT NULL DEFAULT false;';

export class FeesOfSignatures20261130120300 implements MigrationInterface {
  readonly name = 'FeesOfSignatures20261130120300';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query([signatures, movements].join('\n'));
  }

  async down(): Promise<void> {
    throw new Error('Migrations go forward only: expand first, contract in a later release');
  }
}
