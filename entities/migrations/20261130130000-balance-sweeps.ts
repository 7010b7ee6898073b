import type { MigrationInterface, QueryRunner } from 'typeorm';

const ID = 'text COLLATE "C" NOT NULL';
const ROLES = 'strongroom_app, strongroom_worker';

/**
 * `units` are the balances that a node reported for the state after the block at `height`, by contract, in decimal digits; the
 * contract of the native asset is empty. `untraced` and `reversals` are the counts of the scan at `height`.
 */
const sweeps = `
CREATE TABLE balance_sweeps (
  org_id ${ID}, subject_id ${ID}, height bigint NOT NULL, units jsonb NOT NULL, untraced bigint NOT NULL DEFAULT 0,
  reversals integer NOT NULL DEFAULT 0, date_read timestamptz(3) NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (org_id, subject_id), FOREIGN KEY (org_id, subject_id) REFERENCES watched_addresses (org_id, subject_id)
);
GRANT SELECT ON balance_sweeps TO ${ROLES};
GRANT INSERT, UPDATE ON balance_sweeps TO strongroom_worker;
`;

/**
 * Differences between a balance and the movements since the previous reading. No row is ever removed. `repeats` counts later
 * differences of the same asset that have no separate row, and `last_height` is the block of the last difference.
 */
const differences = `
CREATE TABLE balance_differences (
  org_id ${ID}, subject_id ${ID}, contract ${ID}, to_height bigint NOT NULL, from_height bigint NOT NULL, network ${ID},
  expected_units numeric(79,0) NOT NULL, found_units numeric(78,0) NOT NULL, cause text NOT NULL,
  repeats integer NOT NULL DEFAULT 0, last_height bigint NOT NULL, date_found timestamptz(3) NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (org_id, subject_id, contract, to_height),
  FOREIGN KEY (org_id, subject_id) REFERENCES watched_addresses (org_id, subject_id),
  CHECK (from_height <= to_height AND to_height <= last_height AND found_units >= 0)
);
GRANT SELECT ON balance_differences TO ${ROLES};
GRANT INSERT, UPDATE (repeats, last_height) ON balance_differences TO strongroom_worker;
`;

/**
 * The oldest date comes first, so every address is read in turn. `reversals` counts reorganisations that removed confirmed
 * blocks: a balance from before such a reorganisation is not compared.
 */
const turns = `
ALTER TABLE watched_addresses ADD COLUMN date_sweep_due timestamptz(3) NOT NULL DEFAULT 'epoch';
CREATE INDEX watched_addresses_to_sweep ON watched_addresses (network, date_sweep_due)
  WHERE is_active AND live_from IS NOT NULL;
GRANT UPDATE (date_sweep_due) ON watched_addresses TO strongroom_worker;
GRANT SELECT (date_sweep_due) ON watched_addresses TO strongroom_relay;
ALTER TABLE scans ADD COLUMN reversals integer NOT NULL DEFAULT 0, ADD COLUMN swept_height bigint,
  ADD COLUMN unexplained bigint NOT NULL DEFAULT 0;
`;

const guarded = ['balance_sweeps', 'balance_differences'].map(
  (table) => `
ALTER TABLE ${table} ENABLE ROW LEVEL SECURITY;
ALTER TABLE ${table} FORCE ROW LEVEL SECURITY;
CREATE POLICY of_organization ON ${table} TO ${ROLES}
  USING (org_id = current_setting('strongroom.org_id', true))
  WITH CHECK (org_id = current_setting('strongroom.org_id', true));`,
);

/** Balances that nodes report, and their differences from the movements that were read from blocks. */
export class BalanceSweeps20261130130000 implements MigrationInterface {
  readonly name = 'BalanceSweeps20261130130000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query([sweeps, differences, turns, ...guarded].join('\n'));
  }

  async down(): Promise<void> {
    throw new Error('Migrations go forward only: expand first, contract in a later release');
  }
}
