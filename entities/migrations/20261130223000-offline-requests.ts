import type { MigrationInterface, QueryRunner } from 'typeorm';

const ID = 'text COLLATE "C" NOT NULL';
const ROLES = 'strongroom_app, strongroom_worker';

/** No row is ever deleted: the row with the signatures shows which group brought them. */
const table = `
CREATE TABLE offline_requests (
  org_id ${ID}, request_id ${ID}, op text NOT NULL, key_id ${ID}, store_id ${ID}, content_digest text NOT NULL,
  group_id text COLLATE "C", vouched_order text, digest_hex text, messages jsonb, signatures jsonb,
  date_created timestamptz(3) NOT NULL DEFAULT clock_timestamp(),
  date_collected timestamptz(3), date_signed timestamptz(3),
  PRIMARY KEY (org_id, request_id), FOREIGN KEY (org_id, key_id) REFERENCES keys (org_id, id),
  CHECK (group_id IS NULL OR (vouched_order IS NOT NULL AND digest_hex IS NOT NULL AND messages IS NOT NULL)),
  CHECK (signatures IS NULL OR (group_id IS NOT NULL AND date_signed IS NOT NULL))
);
CREATE INDEX offline_requests_waiting ON offline_requests (org_id, store_id, date_created, request_id)
  WHERE signatures IS NULL;
CREATE INDEX offline_requests_of_group ON offline_requests (org_id, group_id) WHERE group_id IS NOT NULL;
`;

const rights = `
ALTER TABLE offline_requests ENABLE ROW LEVEL SECURITY;
ALTER TABLE offline_requests FORCE ROW LEVEL SECURITY;
CREATE POLICY of_organization ON offline_requests TO ${ROLES}
  USING (org_id = current_setting('strongroom.org_id', true))
  WITH CHECK (org_id = current_setting('strongroom.org_id', true));
GRANT SELECT ON offline_requests TO ${ROLES};
GRANT INSERT, UPDATE ON offline_requests TO strongroom_worker;
`;

export class OfflineRequests20261130223000 implements MigrationInterface {
  readonly name = 'OfflineRequests20261130223000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query([table, rights].join('\n'));
  }

  async down(): Promise<void> {
    throw new Error('Migrations go forward only: expand first, contract in a later release');
  }
}
