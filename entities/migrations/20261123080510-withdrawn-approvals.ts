import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The user action by which the initiator withdrew the activity; null if the initiator did not withdraw the activity. */
const withdrawn = `
ALTER TABLE approvals ADD withdrawn_by_action text COLLATE "C",
  ADD FOREIGN KEY (org_id, withdrawn_by_action) REFERENCES user_actions (org_id, id),
  ADD CONSTRAINT approvals_withdrawn CHECK (withdrawn_by_action IS NULL OR status IN ('Pending', 'Denied'));
`;

export class WithdrawnApprovals20261123080510 implements MigrationInterface {
  readonly name = 'WithdrawnApprovals20261123080510';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(withdrawn);
  }

  async down(): Promise<void> {
    throw new Error('Migrations go forward only: expand first, contract in a later release');
  }
}
