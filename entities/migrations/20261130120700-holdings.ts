import type { MigrationInterface, QueryRunner } from 'typeorm';

const ID = 'text COLLATE "C" NOT NULL';
const ROLES = 'strongroom_app, strongroom_worker';

/**
 * The verified assets in the final movements of a wallet, and the balance that was read after the newest of these movements. The
 * contract of the native asset is empty. A row is due for reading while `seen` is greater than `read`.
 */
const table = `
CREATE TABLE holdings (
  org_id ${ID}, wallet_id ${ID}, contract ${ID}, network ${ID}, symbol text COLLATE "C",
  units numeric(78,0) CHECK (units >= 0), seen bigint NOT NULL DEFAULT 1, read bigint NOT NULL DEFAULT 0, date_read timestamptz(3),
  PRIMARY KEY (org_id, wallet_id, contract), FOREIGN KEY (org_id, wallet_id) REFERENCES wallets (org_id, id)
);
CREATE INDEX holdings_held ON holdings (org_id, wallet_id) WHERE units > 0;
CREATE INDEX holdings_by_symbol ON holdings (org_id, symbol, wallet_id) WHERE units > 0;
CREATE INDEX holdings_due ON holdings (org_id, wallet_id) WHERE seen > read;
`;

const before = `
INSERT INTO holdings (org_id, wallet_id, contract, network, symbol)
  SELECT org_id, subject_id, coalesce(contract, ''), network, max(symbol) FROM movements
  WHERE subject_id LIKE 'wa-%' AND status = 'Confirmed' AND is_verified
    AND kind IN ('NativeTransfer', 'Erc20Transfer', 'SplTransfer', 'Spl2022Transfer')
  GROUP BY 1, 2, 3, 4;
`;

/** Only the worker reads the chain. The relay role sees which wallets are due, but no balance. */
const rights = `
ALTER TABLE holdings ENABLE ROW LEVEL SECURITY;
ALTER TABLE holdings FORCE ROW LEVEL SECURITY;
CREATE POLICY of_organization ON holdings TO ${ROLES}
  USING (org_id = current_setting('strongroom.org_id', true))
  WITH CHECK (org_id = current_setting('strongroom.org_id', true));
GRANT SELECT ON holdings TO ${ROLES};
GRANT INSERT ON holdings TO strongroom_worker;
GRANT UPDATE (symbol, units, seen, read, date_read) ON holdings TO strongroom_worker;
CREATE POLICY of_relay ON holdings FOR SELECT TO strongroom_relay USING (true);
GRANT SELECT (org_id, wallet_id, network, seen, read) ON holdings TO strongroom_relay;
`;

export class Holdings20261130120700 implements MigrationInterface {
  readonly name = 'Holdings20261130120700';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query([table, before, rights].join('\n'));
  }

  async down(): Promise<void> {
    throw new Error('Migrations go forward only: expand first, contract in a later release');
  }
}
