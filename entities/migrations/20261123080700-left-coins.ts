import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * A left coin is unspent, but the signed transaction that had claimed the coin can never get into a block. A new request may take
 * over the coin. `after_id` is then the id of the earlier request. The new order to the signer must contain this id too, because
 * the signing log keeps the earlier request's signature over the coin.
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
