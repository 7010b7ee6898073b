import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Written once, before anything is built with it: what was signed for carries the same ciphertext ever after. */
const encryptedAmounts = `
ALTER TABLE transfers ADD encrypted_amount jsonb,
  ADD CONSTRAINT transfers_encrypted CHECK (encrypted_amount IS NULL OR asset_kind = 'Erc7984');
`;

/** Amounts that the network alone can read (ERC-7984). */
export class EncryptedAmounts20261123070100 implements MigrationInterface {
  readonly name = 'EncryptedAmounts20261123070100';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(encryptedAmounts);
  }

  async down(): Promise<void> {
    throw new Error('Migrations go forward only: expand first, contract in a later release');
  }
}
