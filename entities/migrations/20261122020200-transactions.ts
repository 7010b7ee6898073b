import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Raw transactions are rows of the table of transfers, because nonces, payloads and ends are theirs alike: `form` tells the two apart,
 * `terms` is what the transaction was asked to be. An external id counts per form, as each has a list and a path of its own.
 */
const transactions = `
ALTER TABLE transfers
  ADD form text NOT NULL DEFAULT 'Transfer' CHECK (form IN ('Transfer', 'Transaction')),
  ADD terms jsonb,
  ADD asked_nonce integer;
ALTER TABLE transfers DROP CONSTRAINT transfers_org_id_external_id_key;
CREATE UNIQUE INDEX transfers_by_external_id ON transfers (org_id, form, external_id) WHERE external_id IS NOT NULL;
DROP INDEX transfers_by_wallet;
CREATE INDEX transfers_by_wallet ON transfers (org_id, wallet_id, form, id);
CREATE INDEX transfers_asking_nonce ON transfers (org_id, network, from_address, asked_nonce)
  WHERE asked_nonce IS NOT NULL AND state IN ('Requested', 'AwaitingApproval', 'Approved');
`;

export class Transactions20261122020200 implements MigrationInterface {
  readonly name = 'Transactions20261122020200';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(transactions);
  }

  async down(): Promise<void> {
    throw new Error('Migrations go forward only: expand first, contract in a later release');
  }
}
