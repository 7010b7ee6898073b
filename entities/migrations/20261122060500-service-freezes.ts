import type { MigrationInterface, QueryRunner } from 'typeorm';

/** If the service itself freezes a target, the freeze has neither an author nor a user action. Its release still has both. */
const serviceFreezes = `
ALTER TABLE freezes ALTER COLUMN created_by DROP NOT NULL, ALTER COLUMN user_action_id DROP NOT NULL,
  ADD CONSTRAINT freezes_asked_or_own CHECK ((created_by IS NULL) = (user_action_id IS NULL));
`;

/** The service freezes a key that was used outside the service (S18). */
export class ServiceFreezes20261122060500 implements MigrationInterface {
  readonly name = 'ServiceFreezes20261122060500';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(serviceFreezes);
  }

  async down(): Promise<void> {
    throw new Error('Migrations go forward only: expand first, contract in a later release');
  }
}
