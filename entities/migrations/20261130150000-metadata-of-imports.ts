import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The worker inserts imported wallets, so it also inserts their metadata. */
export class MetadataOfImports20261130150000 implements MigrationInterface {
  readonly name = 'MetadataOfImports20261130150000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('GRANT INSERT ON wallet_metadata TO strongroom_worker');
  }

  async down(): Promise<void> {
    throw new Error('Migrations go forward only: expand first, contract in a later release');
  }
}
