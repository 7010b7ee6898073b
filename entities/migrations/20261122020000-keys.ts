import type { MigrationInterface, QueryRunner } from 'typeorm';

const ID = 'text COLLATE "C" NOT NULL';

/** Even concurrent requests cannot store a public key twice in an organisation, or derive a child key twice from one path. */
const columns = `
ALTER TABLE keys
  ADD COLUMN store_id text NOT NULL DEFAULT 'software',
  ADD COLUMN is_master boolean NOT NULL DEFAULT false,
  ADD COLUMN derived_from text COLLATE "C",
  ADD COLUMN derivation_path text,
  ADD COLUMN may_be_delegated boolean NOT NULL DEFAULT false,
  ADD COLUMN is_imported boolean NOT NULL DEFAULT false,
  ADD COLUMN date_exported timestamptz(3),
  ADD COLUMN date_deleted timestamptz(3),
  ADD COLUMN created_by text COLLATE "C",
  ADD CONSTRAINT keys_derived_from FOREIGN KEY (org_id, derived_from) REFERENCES keys (org_id, id),
  ADD CONSTRAINT keys_derived_by_path CHECK ((derived_from IS NULL) = (derivation_path IS NULL));
CREATE UNIQUE INDEX keys_by_public_key ON keys (org_id, scheme, curve, public_key) WHERE public_key IS NOT NULL;
CREATE UNIQUE INDEX keys_by_derivation ON keys (org_id, derived_from, derivation_path) WHERE derived_from IS NOT NULL;
`;

/**
 * Requests to the signer. The content is stored sealed until the signer has responded, and the response is stored sealed until
 * the caller has read it.
 */
const requests = `
CREATE TABLE key_requests (
  org_id ${ID} REFERENCES organizations (id), id ${ID}, kind text NOT NULL, key_id ${ID}, user_id ${ID}, status text NOT NULL,
  sealed_question text, sealed_answer text, refusal text, date_created timestamptz(3) NOT NULL DEFAULT clock_timestamp(),
  date_done timestamptz(3),
  PRIMARY KEY (org_id, id), FOREIGN KEY (org_id, user_id) REFERENCES users (org_id, id)
);
ALTER TABLE key_requests ENABLE ROW LEVEL SECURITY;
ALTER TABLE key_requests FORCE ROW LEVEL SECURITY;
CREATE POLICY of_organization ON key_requests TO strongroom_app
  USING (org_id = current_setting('strongroom.org_id', true))
  WITH CHECK (org_id = current_setting('strongroom.org_id', true));
GRANT SELECT, INSERT ON key_requests TO strongroom_app;
GRANT UPDATE (status, key_id, sealed_question, sealed_answer, refusal, date_done) ON key_requests TO strongroom_app;
`;

/** The store and the origin of each key, and whether the key was imported, exported or deleted. */
export class Keys20261122020000 implements MigrationInterface {
  readonly name = 'Keys20261122020000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query([columns, requests].join('\n'));
  }

  async down(): Promise<void> {
    throw new Error('Migrations go forward only: expand first, contract in a later release');
  }
}
