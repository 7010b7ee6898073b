import type { MigrationInterface, QueryRunner } from 'typeorm';

const ID = 'text COLLATE "C" NOT NULL';

/**
 * A hindrance (the reason why a step is stuck) is a column of the record, because the record's next change of state makes the
 * hindrance obsolete.
 */
const hindrances = `
ALTER TABLE transfers ADD COLUMN hindrance jsonb;
ALTER TABLE signatures ADD COLUMN hindrance jsonb;
GRANT UPDATE (hindrance) ON signatures TO strongroom_app;
ALTER TABLE approvals ADD COLUMN unreachable_since timestamptz(3);
`;

/**
 * Warnings that an approval can no longer reach its quorum after a change, as shown to the author of the change. These rows are
 * records that are never changed or removed.
 */
const warnings = `
CREATE TABLE reachability_warnings (
  org_id ${ID} REFERENCES organizations (id), id ${ID}, policy_id ${ID}, cause text NOT NULL, user_id text COLLATE "C",
  findings jsonb NOT NULL, date_created timestamptz(3) NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (org_id, id), FOREIGN KEY (org_id, policy_id) REFERENCES policies (org_id, id)
);
CREATE INDEX reachability_warnings_by_policy ON reachability_warnings (org_id, policy_id, id);

ALTER TABLE reachability_warnings ENABLE ROW LEVEL SECURITY;
ALTER TABLE reachability_warnings FORCE ROW LEVEL SECURITY;
CREATE POLICY of_organization ON reachability_warnings TO strongroom_app
  USING (org_id = current_setting('strongroom.org_id', true))
  WITH CHECK (org_id = current_setting('strongroom.org_id', true));
GRANT SELECT, INSERT ON reachability_warnings TO strongroom_app;
`;

/** The hindrances of records, and the approvals that cannot reach their quorum. */
export class Reachability20261122030600 implements MigrationInterface {
  readonly name = 'Reachability20261122030600';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query([hindrances, warnings].join('\n'));
  }

  async down(): Promise<void> {
    throw new Error('Migrations go forward only: expand first, contract in a later release');
  }
}
