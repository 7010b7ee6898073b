import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The ciphertext is written once, before any bytes are built, so all bytes of a transfer contain the same ciphertext. */
const encryptedAmounts = `
ALTER TABLE transfers ADD encrypted_amount jsonb,
  ADD CONSTRAINT transfers_encrypted CHECK (encrypted_amount IS NULL OR asset_kind = 'Erc7984');
`;

/** Amounts that only the network can read (ERC-7984). */
export class EncryptedAmounts20261123070100 implements MigrationInterface {
  readonly name = 'EncryptedAmounts20261123070100';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(encryptedAmounts);
  }

  async down(): Promise<void> {
    throw new Error('Migrations go forward only: expand first, contract in a later release');
  }
}
