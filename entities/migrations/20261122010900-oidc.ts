import type { MigrationInterface, QueryRunner } from 'typeorm';

const ID = 'text COLLATE "C" NOT NULL';

/** A user has at most one identity at a provider, and an identity belongs to one user. */
const identities = `
CREATE TABLE oidc_identities (
  org_id ${ID}, issuer ${ID}, subject ${ID}, user_id ${ID}, date_created timestamptz(3) NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (org_id, issuer, subject), UNIQUE (org_id, user_id, issuer),
  FOREIGN KEY (org_id, user_id) REFERENCES users (org_id, id)
);
`;

const usedIdTokens = `
CREATE TABLE used_id_tokens (
  org_id ${ID} REFERENCES organizations (id), id ${ID}, date_expires timestamptz(3) NOT NULL, PRIMARY KEY (org_id, id)
);
CREATE INDEX used_id_tokens_by_date ON used_id_tokens (date_expires);
`;

const rowSecurity = ['oidc_identities', 'used_id_tokens'].map(
  (table) => `
ALTER TABLE ${table} ENABLE ROW LEVEL SECURITY;
ALTER TABLE ${table} FORCE ROW LEVEL SECURITY;
CREATE POLICY of_organization ON ${table} TO strongroom_app
  USING (org_id = current_setting('strongroom.org_id', true))
  WITH CHECK (org_id = current_setting('strongroom.org_id', true));`,
);

const rights = `
GRANT SELECT, INSERT ON oidc_identities TO strongroom_app;
GRANT UPDATE (user_id) ON oidc_identities TO strongroom_app;
GRANT SELECT, INSERT ON used_id_tokens TO strongroom_app;
CREATE POLICY of_relay ON used_id_tokens FOR SELECT TO strongroom_relay USING (true);
GRANT SELECT (org_id, id, date_expires) ON used_id_tokens TO strongroom_relay;
CREATE POLICY when_old ON used_id_tokens AS RESTRICTIVE FOR DELETE TO strongroom_relay
  USING (date_expires < clock_timestamp() - interval '1 day');
CREATE POLICY remove_old ON used_id_tokens FOR DELETE TO strongroom_relay
  USING (date_expires < clock_timestamp() - interval '1 day');
GRANT DELETE ON used_id_tokens TO strongroom_relay;
`;

/** The identities of users at identity providers, and the used id tokens. */
export class Oidc20261122010900 implements MigrationInterface {
  readonly name = 'Oidc20261122010900';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query([identities, usedIdTokens, ...rowSecurity, rights].join('\n'));
  }

  async down(): Promise<void> {
    throw new Error('Migrations go forward only: expand first, contract in a later release');
  }
}
