import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Further results of a signature request, such as the complete transaction of a PSBT with all signatures. */
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
