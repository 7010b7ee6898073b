import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Mails that the worker sends. The row of an ended mail has no content. The housekeeping role counts waiting mails and removes
 * old rows.
 */
export class KeepMails20261122010200 implements MigrationInterface {
  readonly name = 'KeepMails20261122010200';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE mails (
        org_id text COLLATE "C" NOT NULL REFERENCES organizations (id), id text COLLATE "C" NOT NULL,
        user_id text COLLATE "C" NOT NULL, template text NOT NULL, sealed_content text, status text NOT NULL,
        date_created timestamptz(3) NOT NULL DEFAULT clock_timestamp(), date_expires timestamptz(3) NOT NULL,
        date_ended timestamptz(3),
        PRIMARY KEY (org_id, id), FOREIGN KEY (org_id, user_id) REFERENCES users (org_id, id)
      );
      CREATE INDEX mails_waiting ON mails (org_id, id) INCLUDE (date_created) WHERE status = 'Waiting';
      CREATE INDEX mails_by_expiry ON mails (date_expires);
      ALTER TABLE mails ENABLE ROW LEVEL SECURITY;
      ALTER TABLE mails FORCE ROW LEVEL SECURITY;
      CREATE POLICY of_organization ON mails TO strongroom_app
        USING (org_id = current_setting('strongroom.org_id', true))
        WITH CHECK (org_id = current_setting('strongroom.org_id', true));
      GRANT SELECT, INSERT, UPDATE ON mails TO strongroom_app;

      CREATE POLICY of_relay ON mails FOR SELECT TO strongroom_relay USING (true);
      GRANT SELECT (org_id, id, status, date_created, date_expires) ON mails TO strongroom_relay;
      CREATE POLICY when_old ON mails AS RESTRICTIVE FOR DELETE TO strongroom_relay
        USING (date_expires < clock_timestamp() - interval '1 day');
      CREATE POLICY remove_old ON mails FOR DELETE TO strongroom_relay
        USING (date_expires < clock_timestamp() - interval '1 day');
      GRANT DELETE ON mails TO strongroom_relay;`);
  }

  async down(): Promise<void> {
    throw new Error('Migrations go forward only: expand first, contract in a later release');
  }
}
