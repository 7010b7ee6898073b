import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * A user action creates at most one record, because one signature must not take effect twice. A record that the service itself
 * creates to help a request contains the id of that request's action. The new columns contain the id of the user action of a key
 * request.
 */
const oneRecordPerAction = `
ALTER TABLE key_requests ADD user_action_id text COLLATE "C", ADD token_id text COLLATE "C";
CREATE UNIQUE INDEX key_requests_by_user_action ON key_requests (org_id, user_action_id) WHERE user_action_id IS NOT NULL;
CREATE UNIQUE INDEX transfers_by_user_action ON transfers (org_id, user_action_id)
  WHERE user_action_id IS NOT NULL AND NOT made_by_service;
CREATE UNIQUE INDEX signatures_by_user_action ON signatures (org_id, user_action_id);
`;

export class OneRecordPerAction20261123080210 implements MigrationInterface {
  readonly name = 'OneRecordPerAction20261123080210';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(oneRecordPerAction);
  }

  async down(): Promise<void> {
    throw new Error('Migrations go forward only: expand first, contract in a later release');
  }
}
