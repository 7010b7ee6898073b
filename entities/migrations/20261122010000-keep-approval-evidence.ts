import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What an approval's digest was made of, so that a signature over the digest can be understood without trust in the service (S2). */
export class KeepApprovalEvidence20261122010000 implements MigrationInterface {
  readonly name = 'KeepApprovalEvidence20261122010000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE approvals ADD committed jsonb');
  }

  async down(): Promise<void> {
    throw new Error('Migrations go forward only: expand first, contract in a later release');
  }
}
