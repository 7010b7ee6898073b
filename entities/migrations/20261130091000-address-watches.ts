import type { MigrationInterface, QueryRunner } from 'typeorm';

const ID = 'text COLLATE "C" NOT NULL';
const ROLES = 'strongroom_app, strongroom_worker';

const watches = `
CREATE TABLE address_watches (
  org_id ${ID}, id ${ID}, network text COLLATE "C" NOT NULL, address text COLLATE "C" NOT NULL,
  name text, external_id text COLLATE "C", tags text[] NOT NULL DEFAULT '{}',
  status text NOT NULL, request_digest text NOT NULL,
  date_created timestamptz(3) NOT NULL DEFAULT clock_timestamp(), date_deleted timestamptz(3),
  PRIMARY KEY (org_id, id), FOREIGN KEY (org_id) REFERENCES organizations (id),
  UNIQUE (org_id, network, address), UNIQUE (org_id, external_id),
  CHECK ((status = 'Archived') = (date_deleted IS NOT NULL))
);
ALTER TABLE address_watches ENABLE ROW LEVEL SECURITY;
ALTER TABLE address_watches FORCE ROW LEVEL SECURITY;
CREATE POLICY of_organization ON address_watches TO ${ROLES}
  USING (org_id = current_setting('strongroom.org_id', true))
  WITH CHECK (org_id = current_setting('strongroom.org_id', true));
GRANT SELECT ON address_watches TO ${ROLES};
GRANT INSERT, UPDATE (name, external_id, tags, status, request_digest, date_deleted) ON address_watches TO strongroom_app;
`;

/**
 * Blocks are always searched for the addresses of wallets, so only an address that belongs to a watch can be inactive. An address
 * that is watched again is loaded like a new address, and its history is complete only from the next block on. A trigger resets
 * the columns, so that no role needs the right to write them.
 */
const pauses = `
ALTER TABLE watched_addresses ADD COLUMN is_active boolean NOT NULL DEFAULT true
  CHECK (is_active OR subject_kind = 'AddressWatch');
GRANT UPDATE (is_active) ON watched_addresses TO strongroom_app;
GRANT SELECT (is_active) ON watched_addresses TO strongroom_relay;
CREATE FUNCTION restart_watched_address() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.since_xid := pg_current_xact_id();
  NEW.live_from := NULL;
  NEW.date_added := clock_timestamp();
  RETURN NEW;
END $$;
CREATE TRIGGER restart BEFORE UPDATE OF is_active ON watched_addresses FOR EACH ROW
  WHEN (NEW.is_active AND NOT OLD.is_active) EXECUTE FUNCTION restart_watched_address();
`;

/** Addresses whose movements an organisation follows even though the service has no key for them. */
export class AddressWatches20261130091000 implements MigrationInterface {
  readonly name = 'AddressWatches20261130091000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query([watches, pauses].join('\n'));
  }

  async down(): Promise<void> {
    throw new Error('Migrations go forward only: expand first, contract in a later release');
  }
}
