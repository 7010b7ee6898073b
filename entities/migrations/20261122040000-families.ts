import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * A transaction uses up one nonce, several coins or the value of a durable nonce, depending on the chain. So a transfer may have
 * several claims (reservations of nonces or coins), and its payload may have no nonce. A token may be non-fungible.
 */
export class Families20261122040000 implements MigrationInterface {
  readonly name = 'Families20261122040000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE transfers ADD COLUMN token_id text;
      ALTER TABLE transfers ADD COLUMN options jsonb NOT NULL DEFAULT '{}';
      ALTER TABLE payloads ALTER COLUMN nonce DROP NOT NULL;
      ALTER TABLE payloads ADD COLUMN context jsonb;
      ALTER TABLE claims ALTER COLUMN value DROP NOT NULL;
      ALTER TABLE claims DROP CONSTRAINT claims_org_id_transfer_id_key;
      ALTER TABLE claims DROP CONSTRAINT claims_signature;
      CREATE INDEX claims_of_transfer ON claims (org_id, transfer_id) WHERE transfer_id IS NOT NULL;
      CREATE UNIQUE INDEX claims_nonce_of_transfer ON claims (org_id, transfer_id) WHERE kind = 'nonce';
      CREATE INDEX claims_of_signature ON claims (org_id, signature_id) WHERE signature_id IS NOT NULL;`);
  }

  async down(): Promise<void> {
    throw new Error('Migrations go forward only: expand first, contract in a later release');
  }
}
