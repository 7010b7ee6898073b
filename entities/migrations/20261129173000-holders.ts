import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The signed action that requested the key, for a key that the end user holds at the signer. Null for all other keys. */
const holders = `
ALTER TABLE keys ADD asking_action_id text COLLATE "C";
`;

export class Holders20261129173000 implements MigrationInterface {
  readonly name = 'Holders20261129173000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(holders);
  }

  async down(): Promise<void> {
    throw new Error('Migrations go forward only: expand first, contract in a later release');
  }
}
