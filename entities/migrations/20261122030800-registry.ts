import type { MigrationInterface, QueryRunner } from 'typeorm';

const ID = 'text COLLATE "C" NOT NULL';

const records = `
  name text NOT NULL, network text NOT NULL,
  status text NOT NULL DEFAULT 'Active' CHECK (status IN ('Active', 'Deleted')), version integer NOT NULL DEFAULT 1,
  date_created timestamptz(3) NOT NULL DEFAULT clock_timestamp(), date_updated timestamptz(3) NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (org_id, id)`;

/** An address or contract has at most one active entry, even under concurrent requests. A deleted entry stays as a record. */
const tables = `
CREATE TABLE registry_addresses (
  org_id ${ID} REFERENCES organizations (id), id ${ID}, address text NOT NULL, date_active timestamptz(3) NOT NULL, ${records}
);
CREATE UNIQUE INDEX registry_addresses_active ON registry_addresses (org_id, network, address) WHERE status = 'Active';

CREATE TABLE contract_schemas (
  org_id ${ID} REFERENCES organizations (id), id ${ID}, contract text NOT NULL, abi jsonb NOT NULL, ${records}
);
CREATE UNIQUE INDEX contract_schemas_active ON contract_schemas (org_id, network, contract) WHERE status = 'Active';
`;

const guarded = (table: string) => `
ALTER TABLE ${table} ENABLE ROW LEVEL SECURITY;
ALTER TABLE ${table} FORCE ROW LEVEL SECURITY;
CREATE POLICY of_organization ON ${table} TO strongroom_app
  USING (org_id = current_setting('strongroom.org_id', true))
  WITH CHECK (org_id = current_setting('strongroom.org_id', true));
GRANT SELECT, INSERT ON ${table} TO strongroom_app;
`;

const grants = `
GRANT UPDATE (name, address, status, version, date_active, date_updated) ON registry_addresses TO strongroom_app;
GRANT UPDATE (status, version, date_updated) ON contract_schemas TO strongroom_app;
`;

/** Addresses and contracts to which an organisation has given names. */
export class Registry20261122030800 implements MigrationInterface {
  readonly name = 'Registry20261122030800';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query([tables, guarded('registry_addresses'), guarded('contract_schemas'), grants].join('\n'));
  }

  async down(): Promise<void> {
    throw new Error('Migrations go forward only: expand first, contract in a later release');
  }
}
