import type { MigrationInterface, QueryRunner } from 'typeorm';

const ROLES = 'strongroom_app, strongroom_worker';

/**
 * `reviewers` is a copy of the number in the signer's journal. `earlier_reviews` has the reviews of a group that needs more than
 * one, in order; the last review is in `reviewed_by`, and asks the signer to record the output.
 */
const columns = `
ALTER TABLE key_stores ADD COLUMN reviewers integer NOT NULL DEFAULT 1 CHECK (reviewers >= 1);
GRANT UPDATE (reviewers) ON key_stores TO strongroom_worker;
ALTER TABLE fleet_groups ADD COLUMN earlier_reviews jsonb NOT NULL DEFAULT '[]'
  CHECK (jsonb_typeof(earlier_reviews) = 'array' AND octet_length(earlier_reviews::text) <= 4096);
GRANT UPDATE (earlier_reviews) ON fleet_groups TO ${ROLES};
`;

export class Reviewers20261201050000 implements MigrationInterface {
  readonly name = 'Reviewers20261201050000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(columns);
  }

  async down(): Promise<void> {
    throw new Error('Migrations go forward only: expand first, contract in a later release');
  }
}
