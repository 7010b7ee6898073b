import type { MigrationInterface, QueryRunner } from 'typeorm';
import { keepHouseSql } from './keep-house.sql';

export class KeepHouse20261121120000 implements MigrationInterface {
  readonly name = 'KeepHouse20261121120000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(keepHouseSql);
  }

  async down(): Promise<void> {
    throw new Error('Migrations go forward only: expand first, contract in a later release');
  }
}
