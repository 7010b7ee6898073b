import type { MigrationInterface, QueryRunner } from 'typeorm';

/** A partial index for the verdicts with results of policies in the mode `Shadow`. Most verdicts have no such results. */
export class ShadowResults20261122030820 implements MigrationInterface {
  readonly name = 'ShadowResults20261122030820';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`CREATE INDEX verdicts_with_shadows ON verdicts (org_id, id) WHERE shadows <> '[]'`);
  }

  async down(): Promise<void> {
    throw new Error('Migrations go forward only: expand first, contract in a later release');
  }
}
