import type { MigrationInterface, QueryRunner } from 'typeorm';

const ID = 'text COLLATE "C" NOT NULL';
const NETWORK = 'text COLLATE "C" NOT NULL';
const ROLES = 'strongroom_app, strongroom_worker';

/**
 * The blocks that were read. `chain_blocks` contains the blocks that a reorganisation can still replace, and `scans` counts all
 * older blocks. The rows of one network are linked by their parent hashes, so the last hash commits to all of these blocks.
 */
const ledger = `
CREATE TABLE scans (
  network ${NETWORK} PRIMARY KEY,
  first_height bigint NOT NULL, folded_height bigint NOT NULL, folded_hash text NOT NULL,
  folded_blocks bigint NOT NULL DEFAULT 0, folded_heights bigint NOT NULL DEFAULT 0, folded_unproved bigint NOT NULL DEFAULT 0,
  folded_untraced bigint NOT NULL DEFAULT 0, folded_matched bigint NOT NULL DEFAULT 0,
  confirmed_height bigint NOT NULL, head_height bigint NOT NULL,
  date_started timestamptz(3) NOT NULL DEFAULT clock_timestamp(),
  CHECK (folded_height >= first_height - 1)
);
CREATE TABLE chain_blocks (
  network ${NETWORK} REFERENCES scans (network), height bigint NOT NULL, hash text NOT NULL, parent_hash text NOT NULL,
  parent_height bigint NOT NULL,
  date_mined timestamptz(3) NOT NULL, proof text NOT NULL, sight text NOT NULL, matched integer NOT NULL, state text NOT NULL,
  date_read timestamptz(3) NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (network, height)
);
GRANT SELECT ON scans, chain_blocks TO ${ROLES};
GRANT INSERT, UPDATE, DELETE ON scans, chain_blocks TO strongroom_worker;
`;

/**
 * The addresses for which blocks are searched. A scanner loads the rows whose transaction might still have been open when it last
 * loaded addresses, so an address that is committed late is not missed. No role may write the id of the transaction.
 */
const watched = `
CREATE TABLE watched_addresses (
  org_id ${ID}, subject_id ${ID}, subject_kind text NOT NULL, network ${NETWORK}, address text COLLATE "C" NOT NULL,
  since_xid xid8 NOT NULL DEFAULT pg_current_xact_id(), live_from bigint, date_added timestamptz(3) NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (org_id, subject_id), FOREIGN KEY (org_id) REFERENCES organizations (id)
);
CREATE INDEX watched_addresses_by_address ON watched_addresses (network, address);
CREATE INDEX watched_addresses_since ON watched_addresses (network, since_xid);
INSERT INTO watched_addresses (org_id, subject_id, subject_kind, network, address)
  SELECT org_id, id, 'Wallet', network, address FROM wallets WHERE address IS NOT NULL;
GRANT SELECT, INSERT (org_id, subject_id, subject_kind, network, address) ON watched_addresses TO ${ROLES};
GRANT UPDATE (live_from) ON watched_addresses TO strongroom_worker;
CREATE POLICY of_relay ON watched_addresses FOR SELECT TO strongroom_relay USING (true);
GRANT SELECT (org_id, subject_id, network, address, since_xid, live_from, date_added) ON watched_addresses TO strongroom_relay;
`;

/**
 * Each row is one movement of one wallet, and no row is ever deleted. `quotes` are the prices of one unit at the time of the
 * block.
 */
const movements = `
CREATE TABLE movements (
  org_id ${ID}, subject_id ${ID}, id ${ID},
  network ${NETWORK}, direction text NOT NULL, kind text NOT NULL, status text NOT NULL, version integer NOT NULL DEFAULT 1,
  block_height bigint NOT NULL, block_hash text NOT NULL, date_mined timestamptz(3) NOT NULL,
  tx_hash text NOT NULL, ordinal text NOT NULL, place bigint NOT NULL, log_index text,
  contract text COLLATE "C", token_id text, from_address text, to_address text,
  amount_units numeric(78,0), fee_units numeric(78,0), symbol text, decimals integer, is_verified boolean NOT NULL,
  quotes jsonb, fee_quotes jsonb, date_created timestamptz(3) NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (org_id, subject_id, id), FOREIGN KEY (org_id, subject_id) REFERENCES watched_addresses (org_id, subject_id),
  CHECK (amount_units >= 0 AND fee_units >= 0)
);
CREATE INDEX movements_by_block ON movements (org_id, subject_id, block_height DESC, place DESC, id DESC);
CREATE INDEX movements_by_date ON movements (org_id, date_mined, subject_id, id);
CREATE INDEX movements_included ON movements (network, block_height, org_id) WHERE status = 'Included';
GRANT SELECT ON movements TO ${ROLES};
GRANT INSERT, UPDATE ON movements TO strongroom_worker;
CREATE POLICY of_relay ON movements FOR SELECT TO strongroom_relay USING (true);
GRANT SELECT (org_id, network, status, block_height, date_mined) ON movements TO strongroom_relay;
`;

/**
 * `kind` is a column because an address does not show the kind of its token. `log_index` is a column because a reorganisation can
 * change a log's index within the block.
 */
const incoming = 'ALTER TABLE incoming_transactions ADD COLUMN kind text, ADD COLUMN log_index text;';

const guarded = ['watched_addresses', 'movements'].map(
  (table) => `
ALTER TABLE ${table} ENABLE ROW LEVEL SECURITY;
ALTER TABLE ${table} FORCE ROW LEVEL SECURITY;
CREATE POLICY of_organization ON ${table} TO ${ROLES}
  USING (org_id = current_setting('strongroom.org_id', true))
  WITH CHECK (org_id = current_setting('strongroom.org_id', true));`,
);

/** The blocks that were read, the addresses for which blocks are searched, and the movements that were found. */
export class Scans20261130090000 implements MigrationInterface {
  readonly name = 'Scans20261130090000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query([ledger, watched, movements, incoming, ...guarded].join('\n'));
  }

  async down(): Promise<void> {
    throw new Error('Migrations go forward only: expand first, contract in a later release');
  }
}
