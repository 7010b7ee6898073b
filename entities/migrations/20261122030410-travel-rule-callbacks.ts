import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * `is_custodial` shows, without decryption, whether there is a counterparty whose missing answer can trigger the policy or clear
 * the transfer. The housekeeping role may remove callbacks that are too old to be accepted again.
 */
export class TravelRuleCallbacks20261122030410 implements MigrationInterface {
  readonly name = 'TravelRuleCallbacks20261122030410';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE travel_rule_payloads ADD COLUMN is_custodial boolean NOT NULL DEFAULT false;
      CREATE INDEX travel_rule_callbacks_by_date ON travel_rule_callbacks (date_received);
      CREATE POLICY of_relay ON travel_rule_callbacks FOR SELECT TO strongroom_relay USING (true);
      GRANT SELECT (org_id, id, date_received) ON travel_rule_callbacks TO strongroom_relay;
      CREATE POLICY when_old ON travel_rule_callbacks AS RESTRICTIVE FOR DELETE TO strongroom_relay
        USING (date_received < clock_timestamp() - interval '1 day');
      CREATE POLICY remove_old ON travel_rule_callbacks FOR DELETE TO strongroom_relay
        USING (date_received < clock_timestamp() - interval '1 day');
      GRANT DELETE ON travel_rule_callbacks TO strongroom_relay;`);
  }

  async down(): Promise<void> {
    throw new Error('Migrations go forward only: expand first, contract in a later release');
  }
}
