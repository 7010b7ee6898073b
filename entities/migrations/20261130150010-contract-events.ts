import type { MigrationInterface, QueryRunner } from 'typeorm';

const ID = 'text COLLATE "C" NOT NULL';
const ROLES = 'strongroom_app, strongroom_worker';

/** Decoded logs that concern a wallet or an address watch and are not movements. As with movements, no row is ever deleted. */
const table = `
CREATE TABLE contract_events (
  org_id ${ID}, subject_id ${ID}, id ${ID}, network ${ID},
  name text NOT NULL, status text NOT NULL, version integer NOT NULL DEFAULT 1,
  block_height bigint NOT NULL, block_hash text NOT NULL, date_mined timestamptz(3) NOT NULL,
  tx_hash text NOT NULL, place bigint NOT NULL, log_index text NOT NULL, contract text COLLATE "C", data jsonb NOT NULL,
  date_created timestamptz(3) NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (org_id, subject_id, id), FOREIGN KEY (org_id, subject_id) REFERENCES watched_addresses (org_id, subject_id)
);
CREATE INDEX contract_events_by_block ON contract_events (org_id, subject_id, block_height DESC, place DESC, id DESC);
CREATE INDEX contract_events_by_date ON contract_events (date_mined, org_id);
CREATE INDEX contract_events_included ON contract_events (network, block_height, org_id) WHERE status = 'Included';
`;

/** The relay role sees in which blocks organisations have events, but not the events. */
const rights = `
ALTER TABLE contract_events ENABLE ROW LEVEL SECURITY;
ALTER TABLE contract_events FORCE ROW LEVEL SECURITY;
CREATE POLICY of_organization ON contract_events TO ${ROLES}
  USING (org_id = current_setting('strongroom.org_id', true))
  WITH CHECK (org_id = current_setting('strongroom.org_id', true));
GRANT SELECT ON contract_events TO ${ROLES};
GRANT INSERT, UPDATE ON contract_events TO strongroom_worker;
CREATE POLICY of_relay ON contract_events FOR SELECT TO strongroom_relay USING (true);
GRANT SELECT (org_id, network, status, block_height, date_mined) ON contract_events TO strongroom_relay;
`;

export class ContractEvents20261130150010 implements MigrationInterface {
  readonly name = 'ContractEvents20261130150010';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query([table, rights].join('\n'));
  }

  async down(): Promise<void> {
    throw new Error('Migrations go forward only: expand first, contract in a later release');
  }
}
