import type { MigrationInterface, QueryRunner } from 'typeorm';

const ID = 'text COLLATE "C" NOT NULL';

const guarded = (table: string): string => `
ALTER TABLE ${table} ENABLE ROW LEVEL SECURITY;
ALTER TABLE ${table} FORCE ROW LEVEL SECURITY;
CREATE POLICY of_organization ON ${table} TO strongroom_app
  USING (org_id = current_setting('strongroom.org_id', true))
  WITH CHECK (org_id = current_setting('strongroom.org_id', true));
`;

/** A wallet belongs to at most one sponsor that is not archived, even under concurrent requests. */
const sponsors = `
CREATE TABLE fee_sponsors (
  org_id ${ID} REFERENCES organizations (id), id ${ID}, name text, wallet_id ${ID}, network text NOT NULL,
  allow_end_user boolean NOT NULL, status text NOT NULL, user_action_id ${ID},
  date_created timestamptz(3) NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (org_id, id), FOREIGN KEY (org_id, wallet_id) REFERENCES wallets (org_id, id)
);
CREATE UNIQUE INDEX fee_sponsors_standing ON fee_sponsors (org_id, wallet_id) WHERE status <> 'Archived';
GRANT SELECT, INSERT ON fee_sponsors TO strongroom_app;
GRANT UPDATE (status) ON fee_sponsors TO strongroom_app;
`;

const fees = `
CREATE TABLE sponsored_fees (
  org_id ${ID} REFERENCES organizations (id), request_id ${ID}, fee_sponsor_id ${ID}, sponsoree_id ${ID},
  fee_units numeric(78, 0), date_requested timestamptz(3) NOT NULL, date_confirmed timestamptz(3) NOT NULL,
  PRIMARY KEY (org_id, request_id), FOREIGN KEY (org_id, fee_sponsor_id) REFERENCES fee_sponsors (org_id, id)
);
CREATE INDEX sponsored_fees_of_sponsor ON sponsored_fees (org_id, fee_sponsor_id, request_id DESC);
GRANT SELECT, INSERT ON sponsored_fees TO strongroom_app;
`;

/**
 * The sponsor sends the transaction, so a sponsored transfer waits in the sponsor's lane (queue of transactions). The transfer
 * may claim two nonces: the sponsor's nonce for the transaction, and the wallet's own nonce for an authorization. The follower
 * finds the outcome of the operation by `operation_hash`.
 */
const sponsored = `
ALTER TABLE transfers
  ADD fee_sponsor_id text COLLATE "C",
  ADD sponsor_address text,
  ADD CONSTRAINT transfers_sponsored CHECK ((fee_sponsor_id IS NULL) = (sponsor_address IS NULL)),
  ADD FOREIGN KEY (org_id, fee_sponsor_id) REFERENCES fee_sponsors (org_id, id);
ALTER TABLE transfers ADD lane_address text NOT NULL GENERATED ALWAYS AS (coalesce(sponsor_address, from_address)) STORED;
CREATE INDEX transfers_waiting_in_lane ON transfers (org_id, network, lane_address, waiting_since, id) WHERE waiting_since IS NOT NULL;
ALTER TABLE payloads ADD operation_hash text;
GRANT SELECT (operation_hash) ON payloads TO strongroom_relay;
DROP INDEX claims_nonce_of_transfer;
CREATE UNIQUE INDEX claims_nonce_of_transfer ON claims (org_id, transfer_id, lane) WHERE kind = 'nonce';
`;

/** Wallets that pay the fees of other wallets, and the paid fees. */
export class FeeSponsors20261122050100 implements MigrationInterface {
  readonly name = 'FeeSponsors20261122050100';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query([sponsors, guarded('fee_sponsors'), fees, guarded('sponsored_fees'), sponsored].join('\n'));
  }

  async down(): Promise<void> {
    throw new Error('Migrations go forward only: expand first, contract in a later release');
  }
}
