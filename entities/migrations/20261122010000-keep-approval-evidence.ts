import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The content that the digest of an approval covers. With this content, a signature over the digest can be verified without trust
 * in the service (S2).
 */
export class KeepApprovalEvidence20261122010000 implements MigrationInterface {
  readonly name = 'KeepApprovalEvidence20261122010000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE approvals ADD committed jsonb');
  }

  async down(): Promise<void> {
    throw new Error('Migrations go forward only: expand first, contract in a later release');
  }
}
