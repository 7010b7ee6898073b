import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Raw transactions are rows of `transfers`, because transfers and raw transactions have the same kinds of nonces, payloads and
 * end states. `form` distinguishes transfers and transactions, and `terms` contains the requested transaction. An external id is
 * unique per form, because each form has its own list and path.
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
