import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Challenges and codes are useless a day after their end, so the relay role, under which housekeeping runs, may remove them. */
const removable = ['challenges', 'one_time_codes'].map(
  (table) => `
CREATE INDEX ${table}_by_expiry ON ${table} (date_expires);
CREATE POLICY of_relay ON ${table} FOR SELECT TO strongroom_relay USING (true);
GRANT SELECT (org_id, id, date_expires) ON ${table} TO strongroom_relay;
CREATE POLICY when_old ON ${table} AS RESTRICTIVE FOR DELETE TO strongroom_relay
  USING (date_expires < clock_timestamp() - interval '1 day');
CREATE POLICY remove_old ON ${table} FOR DELETE TO strongroom_relay
  USING (date_expires < clock_timestamp() - interval '1 day');
GRANT DELETE ON ${table} TO strongroom_relay;`,
);

/**
 * Recoveries, which may have to wait. A challenge may contain the id of an organisation that does not exist, because otherwise
 * the response to a login would reveal which organisations exist. A session contains the id of the credential that opened the
 * session.
 */
export class Recoveries20261122010400 implements MigrationInterface {
  readonly name = 'Recoveries20261122010400';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE challenges DROP CONSTRAINT challenges_org_id_fkey;
      ALTER TABLE access_tokens ADD opened_by text COLLATE "C";

      CREATE TABLE recoveries (
        org_id text COLLATE "C" NOT NULL REFERENCES organizations (id), id text COLLATE "C" NOT NULL,
        user_id text COLLATE "C" NOT NULL, status text NOT NULL, credential_uuid text COLLATE "C" NOT NULL,
        begun_by text COLLATE "C", new_credentials jsonb NOT NULL,
        date_created timestamptz(3) NOT NULL DEFAULT clock_timestamp(), date_effective timestamptz(3) NOT NULL,
        date_ended timestamptz(3), ended_by text COLLATE "C",
        PRIMARY KEY (org_id, id), FOREIGN KEY (org_id, user_id) REFERENCES users (org_id, id)
      );
      CREATE UNIQUE INDEX recoveries_waiting ON recoveries (org_id, user_id) WHERE status = 'Waiting';
      CREATE INDEX recoveries_by_user ON recoveries (org_id, user_id, id);
      ALTER TABLE recoveries ENABLE ROW LEVEL SECURITY;
      ALTER TABLE recoveries FORCE ROW LEVEL SECURITY;
      CREATE POLICY of_organization ON recoveries TO strongroom_app
        USING (org_id = current_setting('strongroom.org_id', true))
        WITH CHECK (org_id = current_setting('strongroom.org_id', true));
      GRANT SELECT, INSERT, UPDATE ON recoveries TO strongroom_app;
      ${removable.join('\n')}`);
  }

  async down(): Promise<void> {
    throw new Error('Migrations go forward only: expand first, contract in a later release');
  }
}
