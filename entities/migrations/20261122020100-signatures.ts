import type { MigrationInterface, QueryRunner } from 'typeorm';

const ID = 'text COLLATE "C" NOT NULL';

/**
 * Requests for signatures. A signature over a transaction claims (reserves) the nonce as a transfer does, so that no transfer gets
 * the nonce of a transaction that is already signed. A claim therefore belongs either to a transfer or to a signature.
 */
const signatures = `
CREATE TABLE signatures (
  org_id ${ID} REFERENCES organizations (id), id ${ID},
  key_id ${ID}, wallet_id text COLLATE "C", network text, kind text NOT NULL,
  requester_user_id ${ID}, requester_token_id text COLLATE "C", user_action_id ${ID},
  request_body jsonb NOT NULL, request_digest text NOT NULL, external_id text,
  payload jsonb NOT NULL,
  claim_network text, from_address text, nonce integer, contract text, native_units numeric(78,0), token_units numeric(78,0),
  state text NOT NULL, reason text, signatures jsonb, signed_data text, tx_hash text,
  approval_id text COLLATE "C", verdict_id text COLLATE "C", policy_epoch integer,
  version integer NOT NULL DEFAULT 1,
  date_requested timestamptz(3) NOT NULL DEFAULT clock_timestamp(), date_policy_resolved timestamptz(3),
  date_signed timestamptz(3), date_confirmed timestamptz(3),
  PRIMARY KEY (org_id, id),
  FOREIGN KEY (org_id, key_id) REFERENCES keys (org_id, id),
  FOREIGN KEY (org_id, wallet_id) REFERENCES wallets (org_id, id),
  FOREIGN KEY (org_id, requester_user_id) REFERENCES users (org_id, id)
);
CREATE UNIQUE INDEX signatures_by_external_id ON signatures (org_id, external_id) WHERE external_id IS NOT NULL;
CREATE INDEX signatures_by_key ON signatures (org_id, key_id, id);
CREATE INDEX signatures_by_wallet ON signatures (org_id, wallet_id, id) WHERE wallet_id IS NOT NULL;
CREATE INDEX signatures_open ON signatures (org_id, id) WHERE state NOT IN ('Signed', 'Confirmed', 'Failed', 'Rejected');

ALTER TABLE signatures ENABLE ROW LEVEL SECURITY;
ALTER TABLE signatures FORCE ROW LEVEL SECURITY;
CREATE POLICY of_organization ON signatures TO strongroom_app
  USING (org_id = current_setting('strongroom.org_id', true))
  WITH CHECK (org_id = current_setting('strongroom.org_id', true));
GRANT SELECT, INSERT ON signatures TO strongroom_app;
GRANT UPDATE (state, reason, signatures, signed_data, tx_hash, approval_id, verdict_id, policy_epoch, version, date_policy_resolved,
  date_signed, date_confirmed) ON signatures TO strongroom_app;

CREATE POLICY of_relay ON signatures FOR SELECT TO strongroom_relay USING (true);
GRANT SELECT (org_id, id, state, approval_id, date_requested) ON signatures TO strongroom_relay;

ALTER TABLE claims ALTER COLUMN transfer_id DROP NOT NULL;
ALTER TABLE claims ADD COLUMN signature_id text COLLATE "C";
ALTER TABLE claims ADD CONSTRAINT claims_of_one CHECK (num_nonnulls(transfer_id, signature_id) = 1);
ALTER TABLE claims ADD CONSTRAINT claims_signature UNIQUE (org_id, signature_id);
ALTER TABLE claims ADD FOREIGN KEY (org_id, signature_id) REFERENCES signatures (org_id, id);
`;

export class Signatures20261122020100 implements MigrationInterface {
  readonly name = 'Signatures20261122020100';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(signatures);
  }

  async down(): Promise<void> {
    throw new Error('Migrations go forward only: expand first, contract in a later release');
  }
}
