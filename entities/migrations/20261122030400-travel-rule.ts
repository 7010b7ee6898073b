import type { MigrationInterface, QueryRunner } from 'typeorm';

const ID = 'text COLLATE "C" NOT NULL';

/**
 * The personal data of a transfer is sealed in a separate table, so a reader of transfers does not see names, and the data can be
 * removed without removing the transfer. A transfer has only one message, even if several policies require a message.
 */
const tables = `
ALTER TABLE transfers ADD COLUMN travel_rule_digest text;

CREATE TABLE travel_rule_payloads (
  org_id ${ID}, transfer_id ${ID}, sealed text NOT NULL, date_created timestamptz(3) NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (org_id, transfer_id), FOREIGN KEY (org_id, transfer_id) REFERENCES transfers (org_id, id)
);

CREATE TABLE travel_rule_messages (
  org_id ${ID}, id ${ID}, transfer_id ${ID}, state text NOT NULL, reason text, vendor_message_id text,
  trigger_seconds integer NOT NULL CHECK (trigger_seconds >= 0), clear_seconds integer CHECK (clear_seconds >= 0),
  date_asked timestamptz(3) NOT NULL DEFAULT clock_timestamp(), date_submitted timestamptz(3), date_delivered timestamptz(3),
  date_triggers timestamptz(3), date_clears timestamptz(3), date_ended timestamptz(3),
  PRIMARY KEY (org_id, id), UNIQUE (org_id, transfer_id),
  FOREIGN KEY (org_id, transfer_id) REFERENCES transfers (org_id, id)
);

CREATE TABLE travel_rule_callbacks (
  org_id ${ID}, id ${ID}, message_id ${ID}, date_received timestamptz(3) NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (org_id, id), FOREIGN KEY (org_id, message_id) REFERENCES travel_rule_messages (org_id, id)
);
`;

const guarded = (table: string) => `
ALTER TABLE ${table} ENABLE ROW LEVEL SECURITY;
ALTER TABLE ${table} FORCE ROW LEVEL SECURITY;
CREATE POLICY of_organization ON ${table} TO strongroom_app
  USING (org_id = current_setting('strongroom.org_id', true))
  WITH CHECK (org_id = current_setting('strongroom.org_id', true));
GRANT SELECT, INSERT ON ${table} TO strongroom_app;
`;

/** Travel rule messages, the data in these messages, and the vendor's callbacks. */
export class TravelRule20261122030400 implements MigrationInterface {
  readonly name = 'TravelRule20261122030400';

  async up(runner: QueryRunner): Promise<void> {
    const names = ['travel_rule_payloads', 'travel_rule_messages', 'travel_rule_callbacks'];
    await runner.query([tables, ...names.map(guarded)].join('\n'));
    await runner.query(`
      GRANT UPDATE (state, reason, vendor_message_id, date_submitted, date_delivered, date_triggers, date_clears, date_ended)
        ON travel_rule_messages TO strongroom_app;`);
  }

  async down(): Promise<void> {
    throw new Error('Migrations go forward only: expand first, contract in a later release');
  }
}
