import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Counters that the API processes share. They count requests before a caller is identified, so `rate_limits` and `lockouts` do
 * not contain an organisation, and their keys are digests. A crash may lose the counts of `rate_limits`, but not the failed
 * guesses in `lockouts`. The rows of `payload_readings` are records that are never changed or removed.
 */
export class GuardDoors20261122010800 implements MigrationInterface {
  readonly name = 'GuardDoors20261122010800';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE UNLOGGED TABLE rate_limits (
        key text COLLATE "C" PRIMARY KEY, date_empty timestamptz NOT NULL
      ) WITH (fillfactor = 70);
      GRANT SELECT, INSERT, UPDATE, DELETE ON rate_limits TO strongroom_app;

      CREATE TABLE lockouts (
        key text COLLATE "C" PRIMARY KEY, failures integer NOT NULL, date_until timestamptz(3),
        date_succeeded timestamptz(3), date_changed timestamptz(3) NOT NULL DEFAULT clock_timestamp()
      );
      GRANT SELECT, INSERT, UPDATE, DELETE ON lockouts TO strongroom_app;

      CREATE TABLE payload_readings (
        org_id text COLLATE "C" NOT NULL REFERENCES organizations (id), id text COLLATE "C" NOT NULL,
        user_id text COLLATE "C" NOT NULL, token_id text COLLATE "C" NOT NULL, namespace text NOT NULL,
        operation text NOT NULL, payloads integer NOT NULL,
        date_created timestamptz(3) NOT NULL DEFAULT clock_timestamp(),
        PRIMARY KEY (org_id, id), FOREIGN KEY (org_id, user_id) REFERENCES users (org_id, id)
      );
      ALTER TABLE payload_readings ENABLE ROW LEVEL SECURITY;
      ALTER TABLE payload_readings FORCE ROW LEVEL SECURITY;
      CREATE POLICY of_organization ON payload_readings TO strongroom_app
        USING (org_id = current_setting('strongroom.org_id', true))
        WITH CHECK (org_id = current_setting('strongroom.org_id', true));
      GRANT SELECT, INSERT ON payload_readings TO strongroom_app;`);
  }

  async down(): Promise<void> {
    throw new Error('Migrations go forward only: expand first, contract in a later release');
  }
}
