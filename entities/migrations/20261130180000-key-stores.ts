import type { MigrationInterface, QueryRunner } from 'typeorm';

const ID = 'text COLLATE "C" NOT NULL';
const ROLES = 'strongroom_app, strongroom_worker';

/**
 * The stores that the signer reports, for organisations with an entry of the operator. `n` and `digest` name the last entry that
 * changed the row. A store that the signer no longer reports becomes `Removed`, so no role deletes rows.
 */
const table = `
CREATE TABLE key_stores (
  org_id ${ID} REFERENCES organizations (id), id ${ID}, kind text NOT NULL, name text NOT NULL,
  is_primary boolean NOT NULL, state text NOT NULL DEFAULT 'Active' CHECK (state IN ('Active', 'Draining', 'Removed')),
  n integer NOT NULL, digest text NOT NULL,
  date_created timestamptz(3) NOT NULL DEFAULT clock_timestamp(), date_changed timestamptz(3) NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (org_id, id)
);
CREATE UNIQUE INDEX key_stores_primary ON key_stores (org_id) WHERE is_primary;
`;

const rights = `
ALTER TABLE key_stores ENABLE ROW LEVEL SECURITY;
ALTER TABLE key_stores FORCE ROW LEVEL SECURITY;
CREATE POLICY of_organization ON key_stores TO ${ROLES}
  USING (org_id = current_setting('strongroom.org_id', true))
  WITH CHECK (org_id = current_setting('strongroom.org_id', true));
GRANT SELECT ON key_stores TO ${ROLES};
GRANT INSERT ON key_stores TO strongroom_worker;
GRANT UPDATE (name, is_primary, state, n, digest, date_changed) ON key_stores TO strongroom_worker;
`;

/** Copies of the key stores that the signer's journal has. */
export class KeyStores20261130180000 implements MigrationInterface {
  readonly name = 'KeyStores20261130180000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query([table, rights].join('\n'));
  }

  async down(): Promise<void> {
    throw new Error('Migrations go forward only: expand first, contract in a later release');
  }
}
