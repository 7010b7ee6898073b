import type { MigrationInterface, QueryRunner } from 'typeorm';

const ID = 'text COLLATE "C" NOT NULL';

const guarded = (table: string): string => `
ALTER TABLE ${table} ENABLE ROW LEVEL SECURITY;
ALTER TABLE ${table} FORCE ROW LEVEL SECURITY;
CREATE POLICY of_organization ON ${table} TO strongroom_app
  USING (org_id = current_setting('strongroom.org_id', true))
  WITH CHECK (org_id = current_setting('strongroom.org_id', true));
`;

/** A wallet is one sponsor, also against two who make it one at once. */
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

/** Wallets that pay the fees of others, and what they have paid. */
export class FeeSponsors20261122050100 implements MigrationInterface {
  readonly name = 'FeeSponsors20261122050100';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query([sponsors, guarded('fee_sponsors'), fees, guarded('sponsored_fees')].join('\n'));
  }

  async down(): Promise<void> {
    throw new Error('Migrations go forward only: expand first, contract in a later release');
  }
}
