import type { MigrationInterface, QueryRunner } from 'typeorm';

const ID = 'text COLLATE "C" NOT NULL';

const guarded = (table: string): string => `
ALTER TABLE ${table} ENABLE ROW LEVEL SECURITY;
ALTER TABLE ${table} FORCE ROW LEVEL SECURITY;
CREATE POLICY of_organization ON ${table} TO strongroom_app
  USING (org_id = current_setting('strongroom.org_id', true))
  WITH CHECK (org_id = current_setting('strongroom.org_id', true));
`;

/** A target has at most one active freeze, even under concurrent requests. The target and the reason of a freeze never change. */
const freezes = `
CREATE TABLE freezes (
  org_id ${ID} REFERENCES organizations (id), id ${ID}, target_kind text NOT NULL, target_id ${ID}, reason text NOT NULL,
  created_by ${ID}, user_action_id ${ID}, version integer NOT NULL DEFAULT 1,
  date_created timestamptz(3) NOT NULL DEFAULT clock_timestamp(), date_signer_told timestamptz(3),
  date_released timestamptz(3), released_by text COLLATE "C", release_action_id text COLLATE "C",
  date_signer_released timestamptz(3),
  PRIMARY KEY (org_id, id), FOREIGN KEY (org_id, created_by) REFERENCES users (org_id, id),
  CONSTRAINT freezes_released_by_request
    CHECK ((date_released IS NULL) = (released_by IS NULL) AND (released_by IS NULL) = (release_action_id IS NULL))
);
CREATE UNIQUE INDEX freezes_standing ON freezes (org_id, target_kind, target_id) WHERE date_released IS NULL;
GRANT SELECT, INSERT ON freezes TO strongroom_app;
GRANT UPDATE (version, date_signer_told, date_released, released_by, release_action_id, date_signer_released)
  ON freezes TO strongroom_app;
`;

/** The activities that wait for the release of a freeze. The release wakes exactly these activities. */
const frozenActivities = `
CREATE TABLE frozen_activities (
  org_id ${ID} REFERENCES organizations (id), activity_id ${ID}, freeze_id ${ID},
  date_met timestamptz(3) NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (org_id, activity_id), FOREIGN KEY (org_id, freeze_id) REFERENCES freezes (org_id, id)
);
CREATE INDEX frozen_activities_by_freeze ON frozen_activities (org_id, freeze_id);
GRANT SELECT, INSERT, DELETE ON frozen_activities TO strongroom_app;
GRANT UPDATE (freeze_id, date_met) ON frozen_activities TO strongroom_app;
`;

/** Freezes with their authors and reasons, and the activities that wait for the release of a freeze. */
export class Freezes20261122030700 implements MigrationInterface {
  readonly name = 'Freezes20261122030700';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query([freezes, guarded('freezes'), frozenActivities, guarded('frozen_activities')].join('\n'));
  }

  async down(): Promise<void> {
    throw new Error('Migrations go forward only: expand first, contract in a later release');
  }
}
