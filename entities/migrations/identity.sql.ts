const ID = 'text COLLATE "C" NOT NULL';
const OPTIONAL_ID = 'text COLLATE "C"';

const organizations = `
CREATE TABLE tenants (
  id ${ID} PRIMARY KEY, name text NOT NULL, date_created timestamptz(3) NOT NULL DEFAULT clock_timestamp()
);
ALTER TABLE organizations
  ADD tenant_id ${OPTIONAL_ID} REFERENCES tenants (id), ADD settings jsonb NOT NULL DEFAULT '{}',
  ADD version integer NOT NULL DEFAULT 1;
`;

/** A username is free again once its user is archived. Earlier records contain the id of the user. */
const users = `
ALTER TABLE users
  ADD tenant_id ${OPTIONAL_ID}, ADD external_id text, ADD is_sso_required boolean NOT NULL DEFAULT false,
  ADD created_by ${OPTIONAL_ID}, ADD version integer NOT NULL DEFAULT 1,
  ADD date_credentials_changed timestamptz(3), ADD date_archived timestamptz(3),
  DROP CONSTRAINT users_org_id_username_key;
CREATE UNIQUE INDEX users_by_username ON users (org_id, username) WHERE date_archived IS NULL;
CREATE UNIQUE INDEX users_by_external_id ON users (org_id, external_id) WHERE external_id IS NOT NULL;
CREATE UNIQUE INDEX service_accounts_by_name ON users (org_id, name) WHERE is_service_account AND date_archived IS NULL;
`;

const credentials = `
ALTER TABLE credentials
  ADD encrypted_private_key text, ADD secret text, ADD sign_count bigint NOT NULL DEFAULT 0, ADD last_step bigint,
  ADD relying_party_id text NOT NULL DEFAULT '', ADD origin text NOT NULL DEFAULT '',
  ADD is_token_bound boolean NOT NULL DEFAULT false, ADD date_removed timestamptz(3);
`;

/**
 * A token is accepted only if its digest is stored, so the key that signs tokens is not enough to make a valid token. A
 * restricted token has only the permissions that the token and its user both have. The token stays restricted after its last
 * assignment is removed.
 */
const accessTokens = `
ALTER TABLE access_tokens
  ADD token_digest text, ADD name text NOT NULL DEFAULT '', ADD external_id text,
  ADD is_restricted boolean NOT NULL DEFAULT false, ADD date_removed timestamptz(3);
CREATE UNIQUE INDEX access_tokens_by_name ON access_tokens (org_id, user_id, name) WHERE kind = 'Pat' AND date_removed IS NULL;
CREATE UNIQUE INDEX access_tokens_by_external_id ON access_tokens (org_id, external_id) WHERE external_id IS NOT NULL;
CREATE INDEX access_tokens_by_user ON access_tokens (org_id, user_id, kind, id);
`;

/** `user_id` is the user of the identity. If `token_id` is set, only the token has the permission. */
const permissions = `
ALTER TABLE permissions
  ADD version integer NOT NULL DEFAULT 1, ADD date_updated timestamptz(3) NOT NULL DEFAULT clock_timestamp();
ALTER TABLE permission_assignments
  ADD token_id ${OPTIONAL_ID}, ADD is_immutable boolean NOT NULL DEFAULT false,
  ADD date_updated timestamptz(3) NOT NULL DEFAULT clock_timestamp(),
  ADD FOREIGN KEY (org_id, token_id) REFERENCES access_tokens (org_id, id),
  DROP CONSTRAINT permission_assignments_org_id_user_id_permission_id_key;
CREATE UNIQUE INDEX permission_assignments_by_identity
  ON permission_assignments (org_id, (coalesce(token_id, user_id)), permission_id);
CREATE INDEX permission_assignments_by_user ON permission_assignments (org_id, user_id);
CREATE INDEX permission_assignments_by_permission ON permission_assignments (org_id, permission_id, id);
`;

const userActions = `
ALTER TABLE user_actions
  ADD authenticator_data text, ADD first_factor_kind text, ADD second_factor jsonb;
CREATE INDEX user_actions_by_date ON user_actions (org_id, date_consumed, id) WHERE date_consumed IS NOT NULL;
`;

/** Challenges for logins, registrations, new credentials and recoveries. Each challenge can be used once. */
const challenges = `
CREATE TABLE challenges (
  org_id ${ID} REFERENCES organizations (id), id ${ID}, kind text NOT NULL, user_id ${OPTIONAL_ID},
  challenge text NOT NULL, data jsonb NOT NULL DEFAULT '{}',
  date_created timestamptz(3) NOT NULL DEFAULT clock_timestamp(), date_expires timestamptz(3) NOT NULL,
  date_consumed timestamptz(3),
  PRIMARY KEY (org_id, id), FOREIGN KEY (org_id, user_id) REFERENCES users (org_id, id)
);
`;

/** Codes that are mailed, or shown once. At most one code per person and purpose is open. */
const oneTimeCodes = `
CREATE TABLE one_time_codes (
  org_id ${ID}, id ${ID}, user_id ${ID}, purpose text NOT NULL, code_digest text NOT NULL,
  attempts integer NOT NULL DEFAULT 0,
  date_created timestamptz(3) NOT NULL DEFAULT clock_timestamp(), date_expires timestamptz(3) NOT NULL,
  date_consumed timestamptz(3),
  PRIMARY KEY (org_id, id), FOREIGN KEY (org_id, user_id) REFERENCES users (org_id, id)
);
CREATE UNIQUE INDEX one_time_codes_open ON one_time_codes (org_id, user_id, purpose) WHERE date_consumed IS NULL;
`;

const rowSecurity = ['challenges', 'one_time_codes'].map(
  (table) => `
ALTER TABLE ${table} ENABLE ROW LEVEL SECURITY;
ALTER TABLE ${table} FORCE ROW LEVEL SECURITY;
CREATE POLICY of_organization ON ${table} TO strongroom_app
  USING (org_id = current_setting('strongroom.org_id', true))
  WITH CHECK (org_id = current_setting('strongroom.org_id', true));
GRANT SELECT, INSERT, UPDATE ON ${table} TO strongroom_app;`,
);

/** People and programs with their credentials, tokens and permissions. */
export const identity = [
  organizations,
  users,
  credentials,
  accessTokens,
  permissions,
  userActions,
  challenges,
  oneTimeCodes,
  ...rowSecurity,
  'GRANT UPDATE ON permission_assignments TO strongroom_app;',
].join('\n');
