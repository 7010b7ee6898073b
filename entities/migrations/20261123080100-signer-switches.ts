import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What the signer says of its switches: the worker writes it, under the role that the API does not have, and the API reads it. Without a row all are off. */
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
