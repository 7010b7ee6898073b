import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * A child transaction spends the change of another transaction of the same sender, to pay for that transaction (CPFP). The child
 * does not replace a transaction and has its own claims (reserved coins), so its columns differ from those of a replacement.
 */
const children = `
ALTER TABLE transfers
  ADD pays_for_id text COLLATE "C",
  ADD paid_for_by_id text COLLATE "C",
  ADD CONSTRAINT transfers_child CHECK (pays_for_id IS NULL OR (replaces_id IS NULL AND claims_of IS NULL)),
  ADD FOREIGN KEY (org_id, pays_for_id) REFERENCES transfers (org_id, id);
CREATE INDEX transfers_paying_for ON transfers (org_id, pays_for_id) WHERE pays_for_id IS NOT NULL;
`;

export class Children20261122060300 implements MigrationInterface {
  readonly name = 'Children20261122060300';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(children);
  }

  async down(): Promise<void> {
    throw new Error('Migrations go forward only: expand first, contract in a later release');
  }
}
