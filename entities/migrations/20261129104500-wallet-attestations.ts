import type { MigrationInterface, QueryRunner } from 'typeorm';

const ID = 'text COLLATE "C" NOT NULL';
const ROLES = 'strongroom_app, strongroom_worker';

/**
 * The worker writes the signer's attestations, and the API shows them. The relay role sees only which wallets have an
 * attestation.
 */
const attestations = `
CREATE TABLE wallet_attestations (
  org_id ${ID}, wallet_id ${ID},
  attestation text NOT NULL CHECK (octet_length(attestation) <= 1024), signature text NOT NULL CHECK (octet_length(signature) <= 88),
  PRIMARY KEY (org_id, wallet_id), FOREIGN KEY (org_id, wallet_id) REFERENCES wallets (org_id, id)
);
GRANT SELECT ON wallet_attestations TO ${ROLES};
GRANT INSERT ON wallet_attestations TO strongroom_worker;
ALTER TABLE wallet_attestations ENABLE ROW LEVEL SECURITY;
ALTER TABLE wallet_attestations FORCE ROW LEVEL SECURITY;
CREATE POLICY of_organization ON wallet_attestations TO ${ROLES}
  USING (org_id = current_setting('strongroom.org_id', true))
  WITH CHECK (org_id = current_setting('strongroom.org_id', true));
CREATE POLICY of_relay ON wallet_attestations FOR SELECT TO strongroom_relay USING (true);
GRANT SELECT (org_id, wallet_id) ON wallet_attestations TO strongroom_relay;
`;

export class WalletAttestations20261129104500 implements MigrationInterface {
  readonly name = 'WalletAttestations20261129104500';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(attestations);
  }

  async down(): Promise<void> {
    throw new Error('Migrations go forward only: expand first, contract in a later release');
  }
}
