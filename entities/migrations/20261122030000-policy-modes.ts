import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The mode of a policy. In `Shadow`, a policy is evaluated and the result recorded, but the policy does not hold or block
 * activities.
 */
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
