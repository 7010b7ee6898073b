import type { MigrationInterface, QueryRunner } from 'typeorm';

const ID = 'text COLLATE "C" NOT NULL';

/** Each member is a row, so that listing the wallets with a given member can use an index (P9). */
const table = `
CREATE TABLE wallet_metadata (
  org_id ${ID}, wallet_id ${ID}, key text COLLATE "C" NOT NULL, value text COLLATE "C" NOT NULL,
  PRIMARY KEY (org_id, wallet_id, key), FOREIGN KEY (org_id, wallet_id) REFERENCES wallets (org_id, id),
  CHECK (char_length(key) <= 40 AND char_length(value) <= 500)
);
CREATE INDEX wallet_metadata_by_value ON wallet_metadata (org_id, key, value, wallet_id);
ALTER TABLE wallet_metadata ENABLE ROW LEVEL SECURITY;
ALTER TABLE wallet_metadata FORCE ROW LEVEL SECURITY;
CREATE POLICY of_organization ON wallet_metadata TO strongroom_app, strongroom_worker
  USING (org_id = current_setting('strongroom.org_id', true))
  WITH CHECK (org_id = current_setting('strongroom.org_id', true));
GRANT SELECT ON wallet_metadata TO strongroom_app, strongroom_worker;
GRANT INSERT, DELETE ON wallet_metadata TO strongroom_app;
`;

export class WalletMetadata20261130120500 implements MigrationInterface {
  readonly name = 'WalletMetadata20261130120500';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(table);
  }

  async down(): Promise<void> {
    throw new Error('Migrations go forward only: expand first, contract in a later release');
  }
}
