import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The mainnets are in a separate column, because the service reads them with every signature request, and a charter may have 1
 * MiB.
 */
const mainnets = `
ALTER TABLE charters ADD mainnets jsonb
  GENERATED ALWAYS AS (CASE WHEN strpos(text, '"mainnets"') > 0 THEN text::jsonb -> 'mainnets' END) STORED;
`;

export class MainnetsOfCharters20261129060000 implements MigrationInterface {
  readonly name = 'MainnetsOfCharters20261129060000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(mainnets);
  }

  async down(): Promise<void> {
    throw new Error('Migrations go forward only: expand first, contract in a later release');
  }
}
