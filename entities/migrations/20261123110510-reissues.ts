import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The subject of a recovery never changes, and an ended recovery stays ended, so a stop cannot be undone. */
const recoveries = `
ALTER TABLE recoveries ALTER COLUMN credential_uuid DROP NOT NULL,
  ADD COLUMN kind text COLLATE "C" NOT NULL DEFAULT 'RecoveryKey' CHECK (kind IN ('RecoveryKey', 'Operator')),
  ADD COLUMN date_expires timestamptz(3),
  ADD CONSTRAINT recoveries_operators_expire CHECK (kind <> 'Operator' OR date_expires IS NOT NULL);
REVOKE UPDATE ON recoveries FROM strongroom_app, strongroom_worker;
GRANT UPDATE (status, ended_by, date_ended, new_credentials) ON recoveries TO strongroom_app, strongroom_worker;
CREATE POLICY while_waiting ON recoveries AS RESTRICTIVE FOR UPDATE TO strongroom_app, strongroom_worker
  USING (status = 'Waiting') WITH CHECK (true);
`;

/**
 * Without its grant, a recovery that an operator began does not give access to anyone. Only the owner of the schema can insert a
 * grant.
 */
const grants = `
CREATE TABLE reissue_grants (
  org_id text COLLATE "C" NOT NULL REFERENCES organizations (id), id text COLLATE "C" NOT NULL,
  user_id text COLLATE "C" NOT NULL, code_digest text COLLATE "C" NOT NULL,
  date_created timestamptz(3) NOT NULL DEFAULT clock_timestamp(),
  date_effective timestamptz(3) NOT NULL, date_expires timestamptz(3) NOT NULL,
  PRIMARY KEY (org_id, id), FOREIGN KEY (org_id, id) REFERENCES recoveries (org_id, id),
  FOREIGN KEY (org_id, user_id) REFERENCES users (org_id, id)
);
ALTER TABLE reissue_grants ENABLE ROW LEVEL SECURITY;
ALTER TABLE reissue_grants FORCE ROW LEVEL SECURITY;
CREATE INDEX reissue_grants_by_date ON reissue_grants (org_id, date_created, id);
CREATE POLICY of_organization ON reissue_grants FOR SELECT TO strongroom_app, strongroom_worker
  USING (org_id = current_setting('strongroom.org_id', true));
CREATE POLICY of_operator ON reissue_grants FOR INSERT TO CURRENT_USER WITH CHECK (true);
GRANT SELECT ON reissue_grants TO strongroom_app, strongroom_worker;
`;

/** An operator may begin a recovery for an administrator who has lost every credential. */
export class Reissues20261123110510 implements MigrationInterface {
  readonly name = 'Reissues20261123110510';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query([recoveries, grants].join('\n'));
  }

  async down(): Promise<void> {
    throw new Error('Migrations go forward only: expand first, contract in a later release');
  }
}
