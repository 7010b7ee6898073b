import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * A key request is useless once its caller no longer waits, and an unread response is a sealed secret. So the housekeeping role
 * may remove key requests after a day. The user actions still show who made each request.
 */
export class ForgetKeyRequests20261122030900 implements MigrationInterface {
  readonly name = 'ForgetKeyRequests20261122030900';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE INDEX key_requests_by_date ON key_requests (date_created);
      CREATE POLICY of_relay ON key_requests FOR SELECT TO strongroom_relay USING (true);
      GRANT SELECT (org_id, id, date_created) ON key_requests TO strongroom_relay;
      CREATE POLICY when_old ON key_requests AS RESTRICTIVE FOR DELETE TO strongroom_relay
        USING (date_created < clock_timestamp() - interval '1 day');
      CREATE POLICY remove_old ON key_requests FOR DELETE TO strongroom_relay
        USING (date_created < clock_timestamp() - interval '1 day');
      GRANT DELETE ON key_requests TO strongroom_relay;`);
  }

  async down(): Promise<void> {
    throw new Error('Migrations go forward only: expand first, contract in a later release');
  }
}
