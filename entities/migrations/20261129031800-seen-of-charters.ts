import type { MigrationInterface, QueryRunner } from 'typeorm';

/** `seen` is a separate column, because the service reads it with every request by a person, and a charter may have 1 MiB. */
const seen = `
ALTER TABLE charters ADD seen jsonb
  GENERATED ALWAYS AS (CASE WHEN strpos(text, '"seen"') > 0 THEN text::jsonb -> 'seen' END) STORED;
`;

export class SeenOfCharters20261129031800 implements MigrationInterface {
  readonly name = 'SeenOfCharters20261129031800';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(seen);
  }

  async down(): Promise<void> {
    throw new Error('Migrations go forward only: expand first, contract in a later release');
  }
}
