import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The service checks final blocks again for some time, because a reorganisation may be deeper than finality (S14). */
const reversals = `
CREATE INDEX payloads_final ON payloads (network, included_height, included_hash, org_id) WHERE state = 'Final';
GRANT SELECT (included_success) ON payloads TO strongroom_relay;
`;

export class Reversals20261122050600 implements MigrationInterface {
  readonly name = 'Reversals20261122050600';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(reversals);
  }

  async down(): Promise<void> {
    throw new Error('Migrations go forward only: expand first, contract in a later release');
  }
}
