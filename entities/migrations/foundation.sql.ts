const ID = 'text COLLATE "C" NOT NULL';

/** Each row of these tables belongs to one organisation. Every key begins with `org_id`, and row-level security is forced. */
const TENANT_TABLES = [
  'users',
  'credentials',
  'access_tokens',
  'permissions',
  'permission_assignments',
  'user_actions',
  'data_keys',
  'keys',
  'wallets',
  'wallet_tags',
  'policies',
  'verdicts',
  'transfers',
  'payloads',
  'lanes',
  'claims',
  'approvals',
  'approval_approvers',
  'approval_votes',
  'webhooks',
  'webhook_events',
  'events',
  'outbox',
] as const;

const tables = `
CREATE TABLE organizations (
  id ${ID} PRIMARY KEY,
  name text NOT NULL,
  policy_epoch integer NOT NULL DEFAULT 1,
  date_created timestamptz(3) NOT NULL DEFAULT clock_timestamp()
);

CREATE TABLE users (
  org_id ${ID} REFERENCES organizations (id), id ${ID},
  username text NOT NULL, name text NOT NULL, kind text NOT NULL, credential_uuid text NOT NULL DEFAULT '',
  is_active boolean NOT NULL DEFAULT true, is_registered boolean NOT NULL DEFAULT false,
  is_service_account boolean NOT NULL DEFAULT false,
  date_created timestamptz(3) NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (org_id, id), UNIQUE (org_id, username)
);

CREATE TABLE credentials (
  org_id ${ID}, id ${ID}, user_id ${ID},
  kind text NOT NULL, credential_id text NOT NULL, name text NOT NULL, public_key text NOT NULL,
  is_active boolean NOT NULL DEFAULT true, date_created timestamptz(3) NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (org_id, id), UNIQUE (org_id, credential_id), FOREIGN KEY (org_id, user_id) REFERENCES users (org_id, id)
);
CREATE INDEX credentials_by_user ON credentials (org_id, user_id);

CREATE TABLE access_tokens (
  org_id ${ID}, id ${ID}, user_id ${ID},
  kind text NOT NULL, credential_id text, is_active boolean NOT NULL DEFAULT true,
  date_created timestamptz(3) NOT NULL DEFAULT clock_timestamp(), date_expires timestamptz(3) NOT NULL,
  PRIMARY KEY (org_id, id), FOREIGN KEY (org_id, user_id) REFERENCES users (org_id, id)
);

CREATE TABLE permissions (
  org_id ${ID}, id ${ID}, name text NOT NULL, operations jsonb NOT NULL, is_managed boolean NOT NULL DEFAULT false,
  status text NOT NULL DEFAULT 'Active', date_created timestamptz(3) NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (org_id, id), UNIQUE (org_id, name)
);

CREATE TABLE permission_assignments (
  org_id ${ID}, id ${ID}, permission_id ${ID}, user_id ${ID},
  date_created timestamptz(3) NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (org_id, id), UNIQUE (org_id, user_id, permission_id),
  FOREIGN KEY (org_id, permission_id) REFERENCES permissions (org_id, id),
  FOREIGN KEY (org_id, user_id) REFERENCES users (org_id, id)
);

CREATE TABLE user_actions (
  org_id ${ID}, id ${ID}, user_id ${ID}, token_id ${ID},
  method text NOT NULL, path text NOT NULL, body_sha256 text NOT NULL, approval_digest text,
  credential_ids jsonb NOT NULL, nonce text NOT NULL, challenge text NOT NULL,
  date_created timestamptz(3) NOT NULL DEFAULT clock_timestamp(), date_expires timestamptz(3) NOT NULL,
  credential_uuid text, public_key text, client_data text, signature text,
  date_signed timestamptz(3), date_consumed timestamptz(3),
  PRIMARY KEY (org_id, id), FOREIGN KEY (org_id, user_id) REFERENCES users (org_id, id)
);

CREATE TABLE data_keys (
  org_id ${ID} REFERENCES organizations (id), id ${ID}, kek_id text NOT NULL, state text NOT NULL DEFAULT 'Active',
  wrapped text NOT NULL, commitment text NOT NULL, date_created timestamptz(3) NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (org_id, id)
);

CREATE TABLE keys (
  org_id ${ID} REFERENCES organizations (id), id ${ID}, scheme text NOT NULL, curve text NOT NULL,
  status text NOT NULL, public_key text, name text, delegated_to text,
  data_key_id text COLLATE "C", sealed text,
  version integer NOT NULL DEFAULT 1, date_created timestamptz(3) NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (org_id, id), FOREIGN KEY (org_id, data_key_id) REFERENCES data_keys (org_id, id)
);

CREATE INDEX keys_by_delegate ON keys (org_id, delegated_to, id) WHERE delegated_to IS NOT NULL;

CREATE TABLE wallets (
  org_id ${ID}, id ${ID}, network text NOT NULL, key_id ${ID}, status text NOT NULL, address text,
  name text, external_id text, request_digest text NOT NULL, created_by ${ID},
  version integer NOT NULL DEFAULT 1, date_created timestamptz(3) NOT NULL DEFAULT clock_timestamp(),
  date_deleted timestamptz(3),
  PRIMARY KEY (org_id, id), UNIQUE (org_id, key_id, network), UNIQUE (org_id, external_id),
  FOREIGN KEY (org_id, key_id) REFERENCES keys (org_id, id)
);
CREATE INDEX wallets_by_network ON wallets (org_id, network, id);

CREATE TABLE wallet_tags (
  org_id ${ID}, wallet_id ${ID}, tag text COLLATE "C" NOT NULL,
  PRIMARY KEY (org_id, wallet_id, tag), FOREIGN KEY (org_id, wallet_id) REFERENCES wallets (org_id, id)
);
CREATE INDEX wallet_tags_by_tag ON wallet_tags (org_id, tag, wallet_id);

CREATE TABLE policies (
  org_id ${ID} REFERENCES organizations (id), id ${ID}, name text NOT NULL, status text NOT NULL DEFAULT 'Active',
  activity_kind text NOT NULL, rule jsonb NOT NULL, action jsonb NOT NULL, filters jsonb,
  version integer NOT NULL DEFAULT 1, date_created timestamptz(3) NOT NULL DEFAULT clock_timestamp(),
  date_updated timestamptz(3) NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (org_id, id)
);
CREATE INDEX policies_active ON policies (org_id, activity_kind) WHERE status = 'Active';

CREATE TABLE transfers (
  org_id ${ID}, id ${ID}, wallet_id ${ID}, network text NOT NULL,
  requester_user_id ${ID}, requester_token_id text COLLATE "C",
  request_body jsonb NOT NULL, request_digest text NOT NULL, external_id text,
  asset_kind text NOT NULL, contract text, from_address text NOT NULL, to_address text NOT NULL,
  amount_units numeric(78, 0) NOT NULL CHECK (amount_units >= 0), priority text NOT NULL,
  asset_symbol text, asset_decimals integer, asset_verified boolean NOT NULL DEFAULT false,
  fee_ceiling_units numeric(78, 0) NOT NULL,
  state text NOT NULL, reason text, tx_hash text, fee_units numeric(78, 0),
  approval_id text COLLATE "C", verdict_id text COLLATE "C", policy_epoch integer, waiting_since timestamptz(3),
  version integer NOT NULL DEFAULT 1, date_requested timestamptz(3) NOT NULL DEFAULT clock_timestamp(),
  date_policy_resolved timestamptz(3), date_broadcasted timestamptz(3), date_confirmed timestamptz(3),
  PRIMARY KEY (org_id, id), UNIQUE (org_id, external_id),
  FOREIGN KEY (org_id, wallet_id) REFERENCES wallets (org_id, id)
);
CREATE INDEX transfers_by_wallet ON transfers (org_id, wallet_id, id);
CREATE INDEX transfers_waiting ON transfers (org_id, network, from_address, waiting_since, id) WHERE waiting_since IS NOT NULL;

CREATE TABLE verdicts (
  org_id ${ID}, id ${ID}, activity_kind text NOT NULL, activity_id ${ID}, policy_epoch integer NOT NULL,
  outcome text NOT NULL, facts jsonb NOT NULL, evaluations jsonb NOT NULL,
  date_created timestamptz(3) NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (org_id, id)
);
CREATE INDEX verdicts_by_activity ON verdicts (org_id, activity_id, id);

CREATE TABLE payloads (
  org_id ${ID}, id ${ID}, transfer_id ${ID}, network text NOT NULL, from_address text NOT NULL, nonce integer NOT NULL,
  unsigned_hex text NOT NULL, digest_hex text NOT NULL, max_fee_units numeric(78, 0) NOT NULL,
  raw_hex text, tx_hash text, state text NOT NULL,
  included_height integer, included_hash text, included_success boolean, fee_units numeric(78, 0),
  date_created timestamptz(3) NOT NULL DEFAULT clock_timestamp(), date_signed timestamptz(3), date_sent timestamptz(3),
  PRIMARY KEY (org_id, id), UNIQUE (org_id, transfer_id),
  FOREIGN KEY (org_id, transfer_id) REFERENCES transfers (org_id, id)
);
CREATE UNIQUE INDEX payloads_by_hash ON payloads (network, tx_hash) WHERE tx_hash IS NOT NULL;
CREATE INDEX payloads_open ON payloads (network, id) WHERE state IN ('Signed', 'Broadcasted', 'Included');

CREATE TABLE lanes (
  org_id ${ID}, network text NOT NULL, address text NOT NULL,
  PRIMARY KEY (org_id, network, address)
);

CREATE TABLE claims (
  org_id ${ID}, id ${ID}, network text NOT NULL, kind text NOT NULL, key text COLLATE "C" NOT NULL,
  lane text NOT NULL, value integer NOT NULL, transfer_id ${ID}, state text NOT NULL,
  date_created timestamptz(3) NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (org_id, id), UNIQUE (network, kind, key), UNIQUE (org_id, transfer_id),
  FOREIGN KEY (org_id, transfer_id) REFERENCES transfers (org_id, id)
);
CREATE INDEX claims_active ON claims (org_id, network, lane, value) WHERE state <> 'Consumed';
CREATE INDEX claims_by_lane ON claims (org_id, network, lane, value);

CREATE TABLE tokens (
  network text NOT NULL, contract text NOT NULL, symbol text, decimals integer NOT NULL,
  date_pinned timestamptz(3) NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (network, contract)
);

CREATE TABLE approvals (
  org_id ${ID}, id ${ID}, activity_kind text NOT NULL, activity_id ${ID}, initiator_id ${ID},
  status text NOT NULL, activity jsonb NOT NULL, digest text NOT NULL, groups jsonb NOT NULL, evaluations jsonb NOT NULL,
  policy_epoch integer NOT NULL, date_expires timestamptz(3), version integer NOT NULL DEFAULT 1,
  date_created timestamptz(3) NOT NULL DEFAULT clock_timestamp(),
  date_updated timestamptz(3) NOT NULL DEFAULT clock_timestamp(), date_resolved timestamptz(3),
  PRIMARY KEY (org_id, id)
);
CREATE INDEX approvals_by_status ON approvals (org_id, status, id);
CREATE INDEX approvals_by_activity ON approvals (org_id, activity_id);

CREATE TABLE approval_approvers (
  org_id ${ID}, approval_id ${ID}, group_index integer NOT NULL, user_id ${ID}, may_approve boolean NOT NULL,
  PRIMARY KEY (org_id, approval_id, group_index, user_id),
  FOREIGN KEY (org_id, approval_id) REFERENCES approvals (org_id, id)
);
CREATE INDEX approval_approvers_by_user ON approval_approvers (org_id, user_id, approval_id);

CREATE TABLE approval_votes (
  org_id ${ID}, approval_id ${ID}, user_id ${ID}, value text NOT NULL CHECK (value IN ('Approved', 'Denied')),
  reason text, user_action_id ${ID}, date_created timestamptz(3) NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (org_id, approval_id, user_id),
  FOREIGN KEY (org_id, approval_id) REFERENCES approvals (org_id, id),
  FOREIGN KEY (org_id, user_action_id) REFERENCES user_actions (org_id, id)
);

CREATE TABLE webhooks (
  org_id ${ID} REFERENCES organizations (id), id ${ID}, url text NOT NULL, status text NOT NULL, description text,
  events jsonb NOT NULL, sealed_secret text NOT NULL,
  date_created timestamptz(3) NOT NULL DEFAULT clock_timestamp(),
  date_updated timestamptz(3) NOT NULL DEFAULT clock_timestamp(), date_deleted timestamptz(3),
  PRIMARY KEY (org_id, id)
);

CREATE TABLE events (
  org_id ${ID} REFERENCES organizations (id), id ${ID}, kind text NOT NULL, aggregate_id ${ID},
  aggregate_version integer NOT NULL, data jsonb NOT NULL, date_created timestamptz(3) NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (org_id, id)
);
CREATE INDEX events_by_aggregate ON events (org_id, aggregate_id, id);

CREATE TABLE webhook_events (
  org_id ${ID}, id ${ID}, webhook_id ${ID}, event_id ${ID}, kind text NOT NULL,
  delivery_attempt integer NOT NULL, retry_of text COLLATE "C", status text NOT NULL, error text,
  delivery_failed boolean, next_attempt_date timestamptz(3), timestamp_sent bigint,
  date_created timestamptz(3) NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (org_id, id), UNIQUE (org_id, webhook_id, event_id, delivery_attempt),
  FOREIGN KEY (org_id, webhook_id) REFERENCES webhooks (org_id, id),
  FOREIGN KEY (org_id, event_id) REFERENCES events (org_id, id)
);
CREATE INDEX webhook_events_by_webhook ON webhook_events (org_id, webhook_id, id);

CREATE TABLE outbox (
  org_id ${ID} REFERENCES organizations (id), id ${ID}, seq bigint GENERATED BY DEFAULT AS IDENTITY,
  shard integer NOT NULL, kind text NOT NULL, aggregate_id ${ID},
  dedupe_key text COLLATE "C" NOT NULL, routing jsonb NOT NULL, attempts integer NOT NULL DEFAULT 0,
  date_created timestamptz(3) NOT NULL DEFAULT clock_timestamp(),
  date_due timestamptz(3) NOT NULL DEFAULT clock_timestamp(), date_relayed timestamptz(3),
  PRIMARY KEY (org_id, id), UNIQUE (org_id, dedupe_key)
);
CREATE INDEX outbox_waiting ON outbox (shard, seq) WHERE date_relayed IS NULL;
CREATE INDEX outbox_waiting_by_aggregate ON outbox (aggregate_id, id) WHERE date_relayed IS NULL;

CREATE TABLE outbox_leases (
  shard integer PRIMARY KEY, holder text NOT NULL, date_expires timestamptz(3) NOT NULL
);
`;

/** The database refuses a forged vote, even if the code is wrong. */
const voteGuard = `
CREATE FUNCTION guard_approval_vote() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NOT EXISTS (
    SELECT 1 FROM approval_approvers a
    WHERE a.org_id = NEW.org_id AND a.approval_id = NEW.approval_id AND a.user_id = NEW.user_id
      AND (a.may_approve OR NEW.value = 'Denied')
  ) THEN
    RAISE EXCEPTION 'user % may not vote % on %', NEW.user_id, NEW.value, NEW.approval_id USING ERRCODE = 'insufficient_privilege';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER approval_votes_guard BEFORE INSERT ON approval_votes FOR EACH ROW EXECUTE FUNCTION guard_approval_vote();
`;

const rowSecurity = [
  ...TENANT_TABLES.map((table) => ({ table, column: 'org_id' })),
  { table: 'organizations', column: 'id' },
].map(
  ({ table, column }) => `
ALTER TABLE ${table} ENABLE ROW LEVEL SECURITY;
ALTER TABLE ${table} FORCE ROW LEVEL SECURITY;
CREATE POLICY of_organization ON ${table} TO strongroom_app
  USING (${column} = current_setting('strongroom.org_id', true))
  WITH CHECK (${column} = current_setting('strongroom.org_id', true));`,
);

/** The rights of each role. Events, votes and verdicts are records that are never changed or removed. */
const grants = `
GRANT USAGE ON SCHEMA public TO strongroom_app, strongroom_relay;
GRANT SELECT, INSERT ON ALL TABLES IN SCHEMA public TO strongroom_app;
REVOKE ALL ON outbox_leases FROM strongroom_app;
GRANT UPDATE ON organizations, users, credentials, access_tokens, permissions, user_actions, data_keys, keys, wallets,
  policies, transfers, payloads, claims, approvals, webhooks, webhook_events TO strongroom_app;
GRANT DELETE ON permission_assignments, wallet_tags, claims TO strongroom_app;
GRANT UPDATE ON lanes TO strongroom_app;

CREATE POLICY of_relay ON outbox TO strongroom_relay USING (true) WITH CHECK (true);
GRANT SELECT ON outbox TO strongroom_relay;
GRANT UPDATE (attempts, date_due, date_relayed) ON outbox TO strongroom_relay;
GRANT SELECT, INSERT, UPDATE ON outbox_leases TO strongroom_relay;
CREATE POLICY of_relay ON payloads FOR SELECT TO strongroom_relay USING (true);
GRANT SELECT (org_id, id, transfer_id, network, tx_hash, state, included_height, included_hash) ON payloads TO strongroom_relay;
`;

/** The whole first schema: tables, the vote guard, row-level security, grants. The roles must exist before this SQL runs. */
export const foundation = [tables, voteGuard, ...rowSecurity, grants].join('\n');
