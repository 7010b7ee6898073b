import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The switches that the signer reports. The worker writes the switches as the relay role, which the API does not have, and the
 * API reads the switches. Without a row, all switches are off.
 */
export class SignerSwitches20261123080100 implements MigrationInterface {
  readonly name = 'SignerSwitches20261123080100';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE signer_switches (
        is_only boolean PRIMARY KEY DEFAULT true CHECK (is_only), switched_on text[] NOT NULL,
        date_updated timestamptz(3) NOT NULL DEFAULT clock_timestamp()
      );
      GRANT SELECT ON signer_switches TO strongroom_app;
      GRANT SELECT, INSERT ON signer_switches TO strongroom_relay;
      GRANT UPDATE (switched_on, date_updated) ON signer_switches TO strongroom_relay;`);
  }

  async down(): Promise<void> {
    throw new Error('Migrations go forward only: expand first, contract in a later release');
  }
}
