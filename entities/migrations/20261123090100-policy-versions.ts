import type { MigrationInterface, QueryRunner } from 'typeorm';

const ID = 'text COLLATE "C" NOT NULL';

const table = `
CREATE TABLE policy_versions (
  org_id ${ID}, policy_id ${ID}, revision integer NOT NULL,
  version integer NOT NULL, status text NOT NULL DEFAULT 'Active' CHECK (status IN ('Active', 'Archived')),
  name text NOT NULL, activity_kind text NOT NULL, rule jsonb NOT NULL, action jsonb NOT NULL, filters jsonb,
  mode text NOT NULL DEFAULT 'Enforce' CHECK (mode IN ('Enforce', 'Shadow')),
  date_created timestamptz(3) NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (org_id, policy_id, revision), FOREIGN KEY (org_id, policy_id) REFERENCES policies (org_id, id)
);
`;

/** The owner copies rows here. Forced row-level security would hide every row from the owner. */
const copy = `
ALTER TABLE policies NO FORCE ROW LEVEL SECURITY;
INSERT INTO policy_versions (org_id, policy_id, revision, version, status, name, activity_kind, rule, action, filters, mode, date_created)
  SELECT org_id, id, 1, version, status, name, activity_kind, rule, action, filters, mode, date_updated FROM policies;
ALTER TABLE policies FORCE ROW LEVEL SECURITY;
`;

const guards = `
ALTER TABLE policy_versions ENABLE ROW LEVEL SECURITY;
ALTER TABLE policy_versions FORCE ROW LEVEL SECURITY;
CREATE POLICY of_organization ON policy_versions TO strongroom_app
  USING (org_id = current_setting('strongroom.org_id', true))
  WITH CHECK (org_id = current_setting('strongroom.org_id', true));
GRANT SELECT, INSERT ON policy_versions TO strongroom_app;
`;

/**
 * This release drops the columns, even though removals usually wait for a later release. Otherwise a process of the previous
 * release would keep judging by the content of these columns, which no longer changes. Without the columns, such a process fails.
 */
const contract = `
DROP INDEX policies_active;
ALTER TABLE policies DROP COLUMN name, DROP COLUMN status, DROP COLUMN activity_kind, DROP COLUMN rule, DROP COLUMN action,
  DROP COLUMN filters, DROP COLUMN version, DROP COLUMN mode;
`;

/** Each change of a policy inserts a new version, so no role of the service can rewrite a version to which people agreed. */
export class PolicyVersions20261123090100 implements MigrationInterface {
  readonly name = 'PolicyVersions20261123090100';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query([table, copy, guards, contract].join('\n'));
  }

  async down(): Promise<void> {
    throw new Error('Migrations go forward only: expand first, contract in a later release');
  }
}
