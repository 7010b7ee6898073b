import type { MigrationInterface, QueryRunner } from 'typeorm';
import { identity } from './identity.sql';

export class Identity20261122000000 implements MigrationInterface {
  readonly name = 'Identity20261122000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(identity);
  }

  async down(): Promise<void> {
    throw new Error('Migrations go forward only: expand first, contract in a later release');
  }
}
