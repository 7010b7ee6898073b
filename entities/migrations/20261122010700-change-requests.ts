import type { MigrationInterface, QueryRunner } from 'typeorm';

const ID = 'text COLLATE "C" NOT NULL';

/**
 * Changes that wait for people's decisions, and the outcomes. A `subject` can have only one pending change; the index enforces
 * this limit even if the code is wrong. A resolved request is a record and stays unchanged.
 */
const changeRequests = `
CREATE TABLE change_requests (
  org_id ${ID} REFERENCES organizations (id), id ${ID},
  kind text NOT NULL, operation_kind text NOT NULL, entity_id ${ID}, subject text COLLATE "C" NOT NULL,
  base_version integer NOT NULL, before jsonb, change jsonb NOT NULL, body jsonb NOT NULL,
  status text NOT NULL, reason text,
  requester_user_id ${ID}, requester_token_id text COLLATE "C", approval_id text COLLATE "C",
  version integer NOT NULL DEFAULT 1,
  date_created timestamptz(3) NOT NULL DEFAULT clock_timestamp(), date_resolved timestamptz(3),
  PRIMARY KEY (org_id, id), FOREIGN KEY (org_id, requester_user_id) REFERENCES users (org_id, id)
);
CREATE UNIQUE INDEX change_requests_pending ON change_requests (org_id, subject) WHERE status = 'Pending';
CREATE INDEX change_requests_pending_by_entity ON change_requests (org_id, entity_id) WHERE status = 'Pending';

ALTER TABLE change_requests ENABLE ROW LEVEL SECURITY;
ALTER TABLE change_requests FORCE ROW LEVEL SECURITY;
CREATE POLICY of_organization ON change_requests TO strongroom_app
  USING (org_id = current_setting('strongroom.org_id', true))
  WITH CHECK (org_id = current_setting('strongroom.org_id', true));
GRANT SELECT, INSERT ON change_requests TO strongroom_app;
GRANT UPDATE (status, reason, approval_id, version, date_resolved) ON change_requests TO strongroom_app;

CREATE POLICY of_relay ON change_requests FOR SELECT TO strongroom_relay USING (true);
GRANT SELECT (org_id, id, status, date_created) ON change_requests TO strongroom_relay;
`;

export class ChangeRequests20261122010700 implements MigrationInterface {
  readonly name = 'ChangeRequests20261122010700';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(changeRequests);
  }

  async down(): Promise<void> {
    throw new Error('Migrations go forward only: expand first, contract in a later release');
  }
}
