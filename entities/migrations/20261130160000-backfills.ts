import type { MigrationInterface, QueryRunner } from 'typeorm';

const ID = 'text COLLATE "C" NOT NULL';
const ROLES = 'strongroom_app, strongroom_worker';

/**
 * A back-fill reads downwards from `top`, the block from which the history was complete when the back-fill began. `next_height`
 * and `next_hash` identify the next block, as its child block states them. The back-fill ends at `from_height`, or at the first
 * block from before `from_date`. After a full back-fill, the history is complete from `joins` on, where an earlier complete part
 * begins.
 */
const table = `
CREATE TABLE backfills (
  org_id ${ID}, id ${ID}, subject_id ${ID}, network text COLLATE "C" NOT NULL,
  cause text NOT NULL, status text NOT NULL DEFAULT 'Running' CHECK (status IN ('Running', 'Done', 'Gap', 'Stopped')),
  from_height bigint CHECK (from_height >= 0), from_date timestamptz(3), joins bigint CHECK (joins >= 0), top bigint,
  next_height bigint, next_hash text, found bigint NOT NULL DEFAULT 0, blocks bigint NOT NULL DEFAULT 0,
  unproved bigint NOT NULL DEFAULT 0, untraced bigint NOT NULL DEFAULT 0,
  failures integer NOT NULL DEFAULT 0, reason text, requested_by text COLLATE "C",
  date_created timestamptz(3) NOT NULL DEFAULT clock_timestamp(), date_done timestamptz(3),
  PRIMARY KEY (org_id, id), FOREIGN KEY (org_id, subject_id) REFERENCES watched_addresses (org_id, subject_id),
  CHECK (from_height IS NULL OR from_date IS NULL), CHECK ((status = 'Running') = (date_done IS NULL)),
  CHECK ((next_height IS NULL) = (next_hash IS NULL))
);
CREATE UNIQUE INDEX backfills_running ON backfills (org_id, subject_id) WHERE status = 'Running';
CREATE INDEX backfills_of_subject ON backfills (org_id, subject_id, id);
`;

/**
 * The API starts back-fills, and ends a back-fill when its watch is archived. The worker reads the blocks, and starts the
 * back-fills of addresses that the service knew before it began to read the network.
 */
const rights = `
ALTER TABLE backfills ENABLE ROW LEVEL SECURITY;
ALTER TABLE backfills FORCE ROW LEVEL SECURITY;
CREATE POLICY of_organization ON backfills TO ${ROLES}
  USING (org_id = current_setting('strongroom.org_id', true))
  WITH CHECK (org_id = current_setting('strongroom.org_id', true));
GRANT SELECT, INSERT ON backfills TO ${ROLES};
GRANT UPDATE (status, reason, date_done) ON backfills TO ${ROLES};
GRANT UPDATE (top, next_height, next_hash, found, blocks, unproved, untraced, failures) ON backfills TO strongroom_worker;
CREATE POLICY of_relay ON backfills FOR SELECT TO strongroom_relay USING (true);
GRANT SELECT (org_id, id, status, date_created) ON backfills TO strongroom_relay;
`;

/**
 * `left_at` is the last block whose movements are complete and final for a watch when it is archived. A trigger sets the column,
 * so that no role needs the right to write it. `date_first` is the date of the block before the first block of a scan.
 */
const columns = `
ALTER TABLE scans ADD COLUMN date_first timestamptz(3);
ALTER TABLE watched_addresses ADD COLUMN left_at bigint;
CREATE FUNCTION leave_watched_address() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.left_at := (SELECT confirmed_height FROM scans WHERE network = NEW.network);
  RETURN NEW;
END $$;
CREATE TRIGGER leave BEFORE UPDATE OF is_active ON watched_addresses FOR EACH ROW
  WHEN (OLD.is_active AND NOT NEW.is_active) EXECUTE FUNCTION leave_watched_address();
`;

/** Earlier blocks that are read afterwards for one wallet or watch. */
export class Backfills20261130160000 implements MigrationInterface {
  readonly name = 'Backfills20261130160000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query([table, rights, columns].join('\n'));
  }

  async down(): Promise<void> {
    throw new Error('Migrations go forward only: expand first, contract in a later release');
  }
}
