import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The state of the whole deployment: its id, and the time since which the deployment is frozen. Only the owner role can freeze or
 * release the deployment. `forgotten_payments` contains payments that the signer has signed and that are missing from a restored
 * database, so that no such payment is made twice.
 */
export class Freeze20261122020400 implements MigrationInterface {
  readonly name = 'Freeze20261122020400';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE deployment (
        is_only boolean PRIMARY KEY DEFAULT true CHECK (is_only), id text COLLATE "C" NOT NULL,
        date_frozen timestamptz(3), reason text
      );
      INSERT INTO deployment (id) VALUES ('deployment-' || gen_random_uuid());
      GRANT SELECT ON deployment TO strongroom_app;

      CREATE TABLE forgotten_payments (
        org_id text COLLATE "C" NOT NULL REFERENCES organizations (id), id text COLLATE "C" NOT NULL,
        intent_id text COLLATE "C", intent_digest text COLLATE "C" NOT NULL, claim text COLLATE "C" NOT NULL,
        date_signed timestamptz(3) NOT NULL, date_released timestamptz(3) NOT NULL DEFAULT clock_timestamp(),
        date_until timestamptz(3) NOT NULL,
        PRIMARY KEY (org_id, id)
      );
      CREATE INDEX forgotten_payments_by_digest ON forgotten_payments (org_id, intent_digest);
      CREATE INDEX forgotten_payments_by_intent ON forgotten_payments (org_id, intent_id) WHERE intent_id IS NOT NULL;
      ALTER TABLE forgotten_payments ENABLE ROW LEVEL SECURITY;
      ALTER TABLE forgotten_payments FORCE ROW LEVEL SECURITY;
      CREATE POLICY of_organization ON forgotten_payments TO strongroom_app
        USING (org_id = current_setting('strongroom.org_id', true))
        WITH CHECK (org_id = current_setting('strongroom.org_id', true));
      GRANT SELECT, INSERT ON forgotten_payments TO strongroom_app;`);
  }

  async down(): Promise<void> {
    throw new Error('Migrations go forward only: expand first, contract in a later release');
  }
}
