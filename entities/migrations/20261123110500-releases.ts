import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The workflow of an active freeze or a waiting recovery might be missing, so the housekeeping role may see these records. */
const reading = Object.entries({
  recoveries: 'org_id, id, status, date_created',
  freezes: 'org_id, id, date_created, date_released, date_signer_released',
}).map(
  ([table, columns]) => `
CREATE POLICY of_relay ON ${table} FOR SELECT TO strongroom_relay USING (true);
GRANT SELECT (${columns}) ON ${table} TO strongroom_relay;`,
);

/**
 * The time at which the deployment was last released from a freeze. After a release, housekeeping checks every earlier record
 * regardless of its age, because a restore might have brought the record back without its workflow.
 */
export class Releases20261123110500 implements MigrationInterface {
  readonly name = 'Releases20261123110500';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE deployment ADD COLUMN date_released timestamptz(3);
      GRANT SELECT (date_frozen, date_released) ON deployment TO strongroom_relay;
      CREATE INDEX recoveries_open ON recoveries (org_id, id) WHERE status = 'Waiting';
      CREATE INDEX freezes_untold ON freezes (org_id, id) WHERE date_signer_released IS NULL;
      ${reading.join('\n')}`);
  }

  async down(): Promise<void> {
    throw new Error('Migrations go forward only: expand first, contract in a later release');
  }
}
