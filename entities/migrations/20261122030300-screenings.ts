import type { MigrationInterface, QueryRunner } from 'typeorm';

const ID = 'text COLLATE "C" NOT NULL';

const guarded = (table: string) => `
ALTER TABLE ${table} ENABLE ROW LEVEL SECURITY;
ALTER TABLE ${table} FORCE ROW LEVEL SECURITY;
CREATE POLICY of_organization ON ${table} TO strongroom_app
  USING (org_id = current_setting('strongroom.org_id', true))
  WITH CHECK (org_id = current_setting('strongroom.org_id', true));
`;

/** The credentials of a vendor, sealed under the data key. The deactivation of the integration deletes the credentials. */
const integrations = `
CREATE TABLE integrations (
  org_id ${ID} REFERENCES organizations (id), kind text NOT NULL, id ${ID}, status text NOT NULL, sealed_credentials text,
  date_created timestamptz(3) NOT NULL DEFAULT clock_timestamp(), date_updated timestamptz(3) NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (org_id, kind), UNIQUE (org_id, id)
);
${guarded('integrations')}
GRANT SELECT, INSERT ON integrations TO strongroom_app;
GRANT UPDATE (status, sealed_credentials, date_updated) ON integrations TO strongroom_app;
`;

/** A query to a vendor about one activity, and the result. Each further query about the activity has its own row. */
const screenings = `
CREATE TABLE screenings (
  org_id ${ID} REFERENCES organizations (id), id ${ID}, activity_id ${ID}, vendor text NOT NULL, attempt integer NOT NULL,
  question jsonb NOT NULL, result jsonb, unreadable_reply text,
  date_asked timestamptz(3) NOT NULL DEFAULT clock_timestamp(), date_answered timestamptz(3),
  PRIMARY KEY (org_id, id), UNIQUE (org_id, activity_id, vendor, attempt)
);
${guarded('screenings')}
GRANT SELECT, INSERT ON screenings TO strongroom_app;
GRANT UPDATE (result, unreadable_reply, date_answered) ON screenings TO strongroom_app;
`;

/** Transfers to a wallet from outside, with one row for each position within a transaction. */
const incoming = `
CREATE TABLE incoming_transactions (
  org_id ${ID} REFERENCES organizations (id), id ${ID}, wallet_id ${ID}, network text NOT NULL, tx_hash ${ID}, index_in_tx ${ID}, block_number bigint NOT NULL,
  from_address text, to_address text NOT NULL, contract text, amount_units numeric(78,0) NOT NULL,
  decimals integer NOT NULL, symbol text, verdict_id text COLLATE "C", date_detected timestamptz(3) NOT NULL,
  date_created timestamptz(3) NOT NULL DEFAULT clock_timestamp(), date_judged timestamptz(3),
  PRIMARY KEY (org_id, id), UNIQUE (org_id, wallet_id, network, tx_hash, index_in_tx),
  FOREIGN KEY (org_id, wallet_id) REFERENCES wallets (org_id, id)
);
${guarded('incoming_transactions')}
GRANT SELECT, INSERT ON incoming_transactions TO strongroom_app;
GRANT UPDATE (verdict_id, date_judged) ON incoming_transactions TO strongroom_app;
`;

/** Vendors that an organisation has connected, the questions to these vendors, and the transfers from outside. */
export class Screenings20261122030300 implements MigrationInterface {
  readonly name = 'Screenings20261122030300';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query([integrations, screenings, incoming].join('\n'));
  }

  async down(): Promise<void> {
    throw new Error('Migrations go forward only: expand first, contract in a later release');
  }
}
