import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The mode of a policy. In `Shadow`, a policy is judged and recorded, but holds and blocks nothing. */
export class PolicyModes20261122030000 implements MigrationInterface {
  readonly name = 'PolicyModes20261122030000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE policies ADD COLUMN mode text NOT NULL DEFAULT 'Enforce' CHECK (mode IN ('Enforce', 'Shadow'));
      ALTER TABLE verdicts ADD COLUMN shadows jsonb NOT NULL DEFAULT '[]';
    `);
  }

  async down(): Promise<void> {
    throw new Error('Migrations go forward only: expand first, contract in a later release');
  }
}
