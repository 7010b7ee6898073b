import type { MigrationInterface, QueryRunner } from 'typeorm';

const ID = 'text COLLATE "C" NOT NULL';

/**
 * What wallets have used of velocity windows. An activity counts once for each wallet it is judged for; the sums beside keep what a window
 * reads bounded: `minutes` is 1 or 60, `date_start` a whole minute or hour of UTC, `unknowns` how many have no known value.
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

/** How much of velocity windows each wallet has used. */
export class Usage20261122030200 implements MigrationInterface {
  readonly name = 'Usage20261122030200';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query([tables, ...guarded, 'GRANT DELETE ON usage_reservations TO strongroom_app;'].join('\n'));
  }

  async down(): Promise<void> {
    throw new Error('Migrations go forward only: expand first, contract in a later release');
  }
}
