import type { MigrationInterface, QueryRunner } from 'typeorm';

const ID = 'text COLLATE "C" NOT NULL';

/**
 * The usage of wallets within the windows of velocity rules. An activity is counted once for each wallet. The sums limit the
 * number of rows that are read for a window. `minutes` is 1 or 60, `date_start` is a whole minute or hour in UTC, and `unknowns`
 * counts the activities without a known value.
 */
const tables = `
CREATE TABLE usage_lanes (
  org_id ${ID} REFERENCES organizations (id), wallet_id ${ID},
  PRIMARY KEY (org_id, wallet_id)
);
CREATE TABLE usage_reservations (
  org_id ${ID} REFERENCES organizations (id), activity_id ${ID}, wallet_id ${ID}, amount_usd_micro numeric(78,0),
  date_counted timestamptz(3) NOT NULL,
  PRIMARY KEY (org_id, activity_id, wallet_id), CHECK (amount_usd_micro >= 0)
);
CREATE INDEX usage_reservations_by_time ON usage_reservations (org_id, wallet_id, date_counted) INCLUDE (amount_usd_micro);
CREATE TABLE usage_sums (
  org_id ${ID} REFERENCES organizations (id), wallet_id ${ID}, minutes integer NOT NULL, date_start timestamptz(3) NOT NULL,
  count integer NOT NULL, unknowns integer NOT NULL, amount_usd_micro numeric(90,0) NOT NULL,
  PRIMARY KEY (org_id, wallet_id, minutes, date_start)
);
`;

const guarded = ['usage_lanes', 'usage_reservations', 'usage_sums'].map(
  (table) => `
ALTER TABLE ${table} ENABLE ROW LEVEL SECURITY;
ALTER TABLE ${table} FORCE ROW LEVEL SECURITY;
CREATE POLICY of_organization ON ${table} TO strongroom_app
  USING (org_id = current_setting('strongroom.org_id', true))
  WITH CHECK (org_id = current_setting('strongroom.org_id', true));
GRANT SELECT, INSERT, UPDATE ON ${table} TO strongroom_app;`,
);

/** The usage of each wallet within the windows of velocity rules. */
export class Usage20261122030200 implements MigrationInterface {
  readonly name = 'Usage20261122030200';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query([tables, ...guarded, 'GRANT DELETE ON usage_reservations TO strongroom_app;'].join('\n'));
  }

  async down(): Promise<void> {
    throw new Error('Migrations go forward only: expand first, contract in a later release');
  }
}
