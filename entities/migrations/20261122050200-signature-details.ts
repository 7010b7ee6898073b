import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What else an answer carries besides signatures and what they were put into: of a PSBT the transaction, where nothing is missing any more. */
export class SignatureDetails20261122050200 implements MigrationInterface {
  readonly name = 'SignatureDetails20261122050200';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE signatures ADD details jsonb;
      GRANT UPDATE (details) ON signatures TO strongroom_app;`);
  }

  async down(): Promise<void> {
    throw new Error('Migrations go forward only: expand first, contract in a later release');
  }
}
