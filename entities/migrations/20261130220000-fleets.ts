import type { MigrationInterface, QueryRunner } from 'typeorm';

const ID = 'text COLLATE "C" NOT NULL';
const ROLES = 'strongroom_app, strongroom_worker';

const guarded = (table: string): string => `
ALTER TABLE ${table} ENABLE ROW LEVEL SECURITY;
ALTER TABLE ${table} FORCE ROW LEVEL SECURITY;
CREATE POLICY of_organization ON ${table} TO ${ROLES}
  USING (org_id = current_setting('strongroom.org_id', true))
  WITH CHECK (org_id = current_setting('strongroom.org_id', true));
`;

/** The manifest is null until the genesis is approved. Only the worker writes a manifest, which the signer's record confirms. */
const fleets = `
CREATE TABLE fleets (
  org_id ${ID} REFERENCES organizations (id), store_id ${ID}, id ${ID}, label text NOT NULL,
  manifest_digest text, manifest text CHECK (octet_length(manifest) <= 1048576), n integer,
  date_created timestamptz(3) NOT NULL DEFAULT clock_timestamp(), date_updated timestamptz(3),
  PRIMARY KEY (org_id, store_id), UNIQUE (org_id, id),
  CHECK ((manifest IS NULL) = (manifest_digest IS NULL)), CHECK ((manifest IS NULL) = (n IS NULL))
);
GRANT SELECT, INSERT ON fleets TO ${ROLES};
GRANT UPDATE (label) ON fleets TO ${ROLES};
GRANT UPDATE (manifest_digest, manifest, n, date_updated) ON fleets TO strongroom_worker;
CREATE POLICY begin_empty ON fleets AS RESTRICTIVE FOR INSERT TO ${ROLES} WITH CHECK (manifest IS NULL);
`;

/**
 * `input` is the archive, which the worker writes once. `output_digest` and `date_recorded`, which only the worker writes, keep
 * the API from bringing a group to InReview or Approved. A review is recorded before the signer is asked, so `reviewed_by` of a
 * group in review names the person whose approval is on its way. A trigger protects ended groups, because a policy would also hide them from
 * locks.
 */
const groups = `
CREATE TABLE fleet_groups (
  org_id ${ID}, id ${ID}, store_id ${ID}, kind text NOT NULL,
  status text NOT NULL DEFAULT 'Initialized' CHECK (status IN ('Initialized', 'InReview', 'Rejected', 'Approved', 'Canceled')),
  task jsonb NOT NULL CHECK (octet_length(task::text) <= 65536),
  manifest_before text, abandons text[] NOT NULL DEFAULT '{}',
  input text CHECK (octet_length(input) <= 67108864), input_digest text, output_digest text, hindrance text, reason text,
  created_by ${ID}, submitted_by text COLLATE "C", reviewed_by text COLLATE "C", canceled_by text COLLATE "C",
  created_action_id ${ID}, submitted_action_id text COLLATE "C", reviewed_action_id text COLLATE "C",
  ended_action_id text COLLATE "C",
  version integer NOT NULL DEFAULT 1, date_created timestamptz(3) NOT NULL DEFAULT clock_timestamp(), date_submitted timestamptz(3), date_reviewed timestamptz(3),
  date_recorded timestamptz(3), date_reminded timestamptz(3), date_canceled timestamptz(3), ends_at timestamptz(3) NOT NULL,
  PRIMARY KEY (org_id, id), FOREIGN KEY (org_id, store_id) REFERENCES fleets (org_id, store_id),
  FOREIGN KEY (org_id, created_action_id) REFERENCES user_actions (org_id, id),
  CHECK ((input IS NULL) = (input_digest IS NULL)), CHECK ((status = 'Canceled') = (date_canceled IS NOT NULL)),
  CHECK (status <> 'Rejected' OR reason IS NOT NULL), CHECK (status <> 'InReview' OR output_digest IS NOT NULL),
  CHECK ((status = 'Approved') = (date_recorded IS NOT NULL)), CHECK ((reviewed_by IS NULL) = (reviewed_action_id IS NULL))
);
CREATE UNIQUE INDEX fleet_groups_open ON fleet_groups (org_id, store_id) WHERE status IN ('Initialized', 'InReview');
CREATE INDEX fleet_groups_of_store ON fleet_groups (org_id, store_id, id);
GRANT SELECT, INSERT ON fleet_groups TO ${ROLES};
GRANT UPDATE (version, status, reason, hindrance, reviewed_by, reviewed_action_id, date_reviewed, canceled_by, ended_action_id, date_canceled)
  ON fleet_groups TO ${ROLES};
GRANT UPDATE (input, input_digest, manifest_before, abandons, output_digest, submitted_by, submitted_action_id, date_submitted,
  date_recorded, date_reminded)
  ON fleet_groups TO strongroom_worker;
CREATE POLICY begin_initialized ON fleet_groups AS RESTRICTIVE FOR INSERT TO ${ROLES} WITH CHECK (status = 'Initialized');
CREATE POLICY of_relay ON fleet_groups FOR SELECT TO strongroom_relay USING (true);
GRANT SELECT (org_id, id, status, date_created) ON fleet_groups TO strongroom_relay;
CREATE FUNCTION fleet_group_ended() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'a group that has ended never changes';
END $$;
CREATE TRIGGER ended_stays BEFORE UPDATE ON fleet_groups FOR EACH ROW
  WHEN (OLD.status NOT IN ('Initialized', 'InReview')) EXECUTE FUNCTION fleet_group_ended();
CREATE FUNCTION fleet_input_stays() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'the archive of a group never changes';
END $$;
CREATE TRIGGER input_stays BEFORE UPDATE OF input, input_digest ON fleet_groups FOR EACH ROW
  WHEN (OLD.input IS NOT NULL AND (NEW.input IS DISTINCT FROM OLD.input OR NEW.input_digest IS DISTINCT FROM OLD.input_digest))
  EXECUTE FUNCTION fleet_input_stays();
`;

/** `subject_id` is the request or wallet of an operation that uses a key, and null for a ceremony. */
const operations = `
CREATE TABLE fleet_operations (
  org_id ${ID}, id ${ID}, group_id ${ID}, kind text NOT NULL,
  status text NOT NULL DEFAULT 'Initialized' CHECK (status IN ('Initialized', 'InReview', 'Rejected', 'Approved', 'Canceled')),
  subject_id text COLLATE "C", failure text, date_created timestamptz(3) NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (org_id, id), FOREIGN KEY (org_id, group_id) REFERENCES fleet_groups (org_id, id)
);
CREATE INDEX fleet_operations_of_group ON fleet_operations (org_id, group_id, id);
CREATE INDEX fleet_operations_of_subject ON fleet_operations (org_id, subject_id) WHERE subject_id IS NOT NULL;
GRANT SELECT, INSERT ON fleet_operations TO ${ROLES};
GRANT UPDATE (status) ON fleet_operations TO ${ROLES};
GRANT UPDATE (failure) ON fleet_operations TO strongroom_worker;
`;

/**
 * A refused output keeps its checksum, the digest of its manifest and the failed check, and loses its texts, so that bad outputs
 * cannot fill the database. The texts of an accepted output stay as evidence. One output of a group is checked at a time.
 */
const outputs = `
CREATE TABLE fleet_outputs (
  org_id ${ID}, user_action_id ${ID}, group_id ${ID}, submitted_by ${ID},
  status text NOT NULL DEFAULT 'Checking' CHECK (status IN ('Checking', 'Accepted', 'Refused')), file_checksum text NOT NULL,
  output_json text CHECK (octet_length(output_json) <= 8388608), file text CHECK (octet_length(file) <= 8388608),
  manifest_digest text, failed_check text, reason text,
  date_created timestamptz(3) NOT NULL DEFAULT clock_timestamp(), date_checked timestamptz(3),
  PRIMARY KEY (org_id, user_action_id), FOREIGN KEY (org_id, group_id) REFERENCES fleet_groups (org_id, id),
  FOREIGN KEY (org_id, user_action_id) REFERENCES user_actions (org_id, id),
  CHECK ((status = 'Checking') = (date_checked IS NULL)), CHECK ((status = 'Refused') = (failed_check IS NOT NULL)),
  CHECK (status <> 'Accepted' OR (output_json IS NOT NULL AND file IS NOT NULL))
);
CREATE UNIQUE INDEX fleet_outputs_checking ON fleet_outputs (org_id, group_id) WHERE status = 'Checking';
CREATE UNIQUE INDEX fleet_outputs_accepted ON fleet_outputs (org_id, group_id) WHERE status = 'Accepted';
GRANT SELECT, INSERT ON fleet_outputs TO ${ROLES};
GRANT UPDATE (status, output_json, file, manifest_digest, failed_check, reason, date_checked) ON fleet_outputs TO strongroom_worker;
CREATE POLICY begin_checking ON fleet_outputs AS RESTRICTIVE FOR INSERT TO ${ROLES} WITH CHECK (status = 'Checking');
CREATE POLICY while_checking ON fleet_outputs AS RESTRICTIVE FOR UPDATE TO ${ROLES} USING (status = 'Checking') WITH CHECK (true);
`;

/** The pool. The worker adds the keys of an approved group. A key of a wallet or another key row takes an available one. */
const keys = `
CREATE TABLE fleet_keys (
  org_id ${ID}, store_id ${ID}, curve text NOT NULL, index integer NOT NULL CHECK (index >= 0), public_key text NOT NULL,
  state text NOT NULL DEFAULT 'Available' CHECK (state IN ('Available', 'Assigned', 'Retired')), key_id text COLLATE "C",
  group_id ${ID}, date_created timestamptz(3) NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (org_id, store_id, curve, index), UNIQUE (org_id, public_key), UNIQUE (org_id, key_id),
  FOREIGN KEY (org_id, store_id) REFERENCES fleets (org_id, store_id),
  FOREIGN KEY (org_id, group_id) REFERENCES fleet_groups (org_id, id),
  CHECK (state <> 'Available' OR key_id IS NULL), CHECK (state <> 'Assigned' OR key_id IS NOT NULL)
);
CREATE INDEX fleet_keys_available ON fleet_keys (org_id, store_id, curve, index) WHERE state = 'Available';
GRANT SELECT ON fleet_keys TO ${ROLES};
GRANT INSERT ON fleet_keys TO strongroom_worker;
GRANT UPDATE (state, key_id) ON fleet_keys TO ${ROLES};
CREATE POLICY begin_available ON fleet_keys AS RESTRICTIVE FOR INSERT TO ${ROLES} WITH CHECK (state = 'Available');
CREATE FUNCTION fleet_key_stays() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'a key of the pool is assigned once and never becomes available again';
END $$;
CREATE TRIGGER assigned_once BEFORE UPDATE ON fleet_keys FOR EACH ROW
  WHEN ((OLD.key_id IS NOT NULL AND NEW.key_id IS DISTINCT FROM OLD.key_id)
    OR (OLD.state <> 'Available' AND NEW.state = 'Available') OR (OLD.state = 'Retired' AND NEW.state <> 'Retired'))
  EXECUTE FUNCTION fleet_key_stays();
`;

/** Fleets of offline stores, the groups of operations that pass between service and devices, and the pool of keys. */
export class Fleets20261130220000 implements MigrationInterface {
  readonly name = 'Fleets20261130220000';

  async up(runner: QueryRunner): Promise<void> {
    const tables = ['fleets', 'fleet_groups', 'fleet_operations', 'fleet_outputs', 'fleet_keys'];
    await runner.query([fleets, groups, operations, outputs, keys, ...tables.map(guarded)].join('\n'));
  }

  async down(): Promise<void> {
    throw new Error('Migrations go forward only: expand first, contract in a later release');
  }
}
