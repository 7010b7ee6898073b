import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Standing freezes and waiting recoveries belong to workflows that may be missing as well: the housekeeping role may see which there are. */
const reading = Object.entries({
  recoveries: 'org_id, id, status, date_created',
  freezes: 'org_id, id, date_created, date_released, date_signer_released',
}).map(
  ([table, columns]) => `
CREATE POLICY of_relay ON ${table} FOR SELECT TO strongroom_relay USING (true);
GRANT SELECT (${columns}) ON ${table} TO strongroom_relay;`,
);

/**
 * When the deployment was released from its last freeze. From then on housekeeping looks at everything that is older, however young, because a restore has
 * brought it back without its workflow.
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
