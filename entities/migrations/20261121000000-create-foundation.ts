import type { MigrationInterface, QueryRunner } from 'typeorm';
import { foundation } from './foundation.sql';

export class CreateFoundation20261121000000 implements MigrationInterface {
  readonly name = 'CreateFoundation20261121000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(foundation);
  }

  async down(): Promise<void> {
    throw new Error('Migrations go forward only: expand first, contract in a later release');
  }
}
