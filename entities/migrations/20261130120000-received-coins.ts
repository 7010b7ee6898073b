import type { MigrationInterface, QueryRunner } from 'typeorm';

const ID = 'text COLLATE "C" NOT NULL';
const TEXT = 'text COLLATE "C" NOT NULL';

/**
 * The id of a transaction depends on its outputs, so a row stays correct, and is kept, when a reorganisation removes the
 * transaction. The relay role sees which organisations have coins from a transaction, but not the amounts (S15).
 */
const coins = `
CREATE TABLE received_coins (
  network ${TEXT}, txid ${TEXT}, vout integer NOT NULL, org_id ${ID}, subject_id ${ID}, amount_units numeric(78,0) NOT NULL,
  PRIMARY KEY (network, txid, vout, org_id, subject_id),
  FOREIGN KEY (org_id, subject_id) REFERENCES watched_addresses (org_id, subject_id),
  CHECK (amount_units >= 0)
);
ALTER TABLE received_coins ENABLE ROW LEVEL SECURITY;
ALTER TABLE received_coins FORCE ROW LEVEL SECURITY;
CREATE POLICY of_organization ON received_coins TO strongroom_app, strongroom_worker
  USING (org_id = current_setting('strongroom.org_id', true))
  WITH CHECK (org_id = current_setting('strongroom.org_id', true));
GRANT SELECT ON received_coins TO strongroom_app, strongroom_worker;
GRANT INSERT ON received_coins TO strongroom_worker;
CREATE POLICY of_relay ON received_coins FOR SELECT TO strongroom_relay USING (true);
GRANT SELECT (network, txid, org_id) ON received_coins TO strongroom_relay;
`;

/** Null except for transactions that have lists of senders and recipients. */
const parties = `
ALTER TABLE movements ADD COLUMN from_addresses text[], ADD COLUMN to_addresses text[];
ALTER TABLE incoming_transactions ADD COLUMN from_addresses text[];
`;

/** The coins of Bitcoin's family, found by their outpoint, because the inputs that spend them do not contain an address. */
export class ReceivedCoins20261130120000 implements MigrationInterface {
  readonly name = 'ReceivedCoins20261130120000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query([coins, parties].join('\n'));
  }

  async down(): Promise<void> {
    throw new Error('Migrations go forward only: expand first, contract in a later release');
  }
}
