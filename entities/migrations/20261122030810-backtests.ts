import type { MigrationInterface, QueryRunner } from 'typeorm';

const ID = 'text COLLATE "C" NOT NULL';

/**
 * An organisation runs at most one backtest at a time, even under concurrent requests. The first index sorts verdicts by date.
 */
const tables = `
CREATE INDEX verdicts_by_date ON verdicts (org_id, activity_kind, date_created, id);

CREATE TABLE backtests (
  org_id ${ID} REFERENCES organizations (id), id ${ID},
  status text NOT NULL DEFAULT 'Running' CHECK (status IN ('Running', 'Done', 'Failed')),
  policy jsonb NOT NULL, wallet_id text COLLATE "C", date_from timestamptz(3) NOT NULL, date_to timestamptz(3) NOT NULL,
  requested_by ${ID}, judged_until timestamptz(3), counts jsonb NOT NULL, reason text,
  date_created timestamptz(3) NOT NULL DEFAULT clock_timestamp(), date_done timestamptz(3),
  PRIMARY KEY (org_id, id), FOREIGN KEY (org_id, requested_by) REFERENCES users (org_id, id)
);
CREATE UNIQUE INDEX backtests_running ON backtests (org_id) WHERE status = 'Running';

CREATE TABLE backtest_results (
  org_id ${ID}, backtest_id ${ID}, id ${ID}, activity_id ${ID}, date_judged timestamptz(3) NOT NULL,
  outcome text NOT NULL, recorded_outcome text NOT NULL, reason text NOT NULL,
  PRIMARY KEY (org_id, backtest_id, id), FOREIGN KEY (org_id, backtest_id) REFERENCES backtests (org_id, id)
);
`;

const guarded = (table: string) => `
ALTER TABLE ${table} ENABLE ROW LEVEL SECURITY;
ALTER TABLE ${table} FORCE ROW LEVEL SECURITY;
CREATE POLICY of_organization ON ${table} TO strongroom_app
  USING (org_id = current_setting('strongroom.org_id', true))
  WITH CHECK (org_id = current_setting('strongroom.org_id', true));
GRANT SELECT, INSERT ON ${table} TO strongroom_app;
`;

const grants = 'GRANT UPDATE (status, judged_until, counts, reason, date_done) ON backtests TO strongroom_app;';

/** Replays of proposed policies over recorded activities, and the results. */
export class Backtests20261122030810 implements MigrationInterface {
  readonly name = 'Backtests20261122030810';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query([tables, guarded('backtests'), guarded('backtest_results'), grants].join('\n'));
  }

  async down(): Promise<void> {
    throw new Error('Migrations go forward only: expand first, contract in a later release');
  }
}
