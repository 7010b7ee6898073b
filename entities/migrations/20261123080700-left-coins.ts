import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * A coin of a signed transaction that can never get into a block, and that nothing has spent, is left: a new request may take it over. `after_id` then names
 * the request whose signature over the coin the signing log keeps, which the new order has to name.
 */
const leftCoins = `
ALTER TABLE claims
  ADD is_left boolean NOT NULL DEFAULT false,
  ADD after_id text COLLATE "C",
  ADD FOREIGN KEY (org_id, after_id) REFERENCES transfers (org_id, id),
  ADD CONSTRAINT claims_left CHECK (NOT is_left OR (kind = 'utxo' AND state = 'Consumed' AND transfer_id IS NOT NULL)),
  ADD CONSTRAINT claims_after CHECK (after_id IS NULL OR (kind = 'utxo' AND NOT transfer_id = after_id));
`;

export class LeftCoins20261123080700 implements MigrationInterface {
  readonly name = 'LeftCoins20261123080700';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(leftCoins);
  }

  async down(): Promise<void> {
    throw new Error('Migrations go forward only: expand first, contract in a later release');
  }
}
