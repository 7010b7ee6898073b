import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The columns that the service may change. All other columns of these tables are written only once, when the row is inserted. */
const changeable = `
REVOKE UPDATE ON credentials, user_actions, policies FROM strongroom_app;
GRANT UPDATE (is_active, date_removed, secret, encrypted_private_key, sign_count, last_step) ON credentials TO strongroom_app;
GRANT UPDATE (credential_uuid, public_key, client_data, signature, authenticator_data, first_factor_kind, second_factor,
  date_signed, date_consumed, witness) ON user_actions TO strongroom_app;
GRANT UPDATE (date_updated) ON policies TO strongroom_app; -- locking a row needs the right to change a column of it
REVOKE INSERT ON migrations, tenants FROM strongroom_app;
`;

/**
 * The public key of a key, the address of a wallet and the signature of an action are written once, after the row is inserted.
 */
const guards = `
CREATE FUNCTION guard_key_identity() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.scheme <> OLD.scheme OR NEW.curve <> OLD.curve OR (OLD.public_key IS NOT NULL AND NEW.public_key IS DISTINCT FROM OLD.public_key) THEN
    RAISE EXCEPTION 'the public key of % stays as it is', OLD.id USING ERRCODE = 'insufficient_privilege';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER keys_identity BEFORE UPDATE ON keys FOR EACH ROW EXECUTE FUNCTION guard_key_identity();

CREATE FUNCTION guard_wallet_identity() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.network <> OLD.network OR NEW.key_id <> OLD.key_id OR (OLD.address IS NOT NULL AND NEW.address IS DISTINCT FROM OLD.address) THEN
    RAISE EXCEPTION 'the address of % stays as it is', OLD.id USING ERRCODE = 'insufficient_privilege';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER wallets_identity BEFORE UPDATE ON wallets FOR EACH ROW EXECUTE FUNCTION guard_wallet_identity();

CREATE FUNCTION guard_user_action() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF OLD.date_consumed IS NOT NULL
    OR (OLD.credential_uuid IS NOT NULL AND NEW.credential_uuid IS DISTINCT FROM OLD.credential_uuid)
    OR (OLD.public_key IS NOT NULL AND NEW.public_key IS DISTINCT FROM OLD.public_key)
    OR (OLD.client_data IS NOT NULL AND NEW.client_data IS DISTINCT FROM OLD.client_data)
    OR (OLD.signature IS NOT NULL AND NEW.signature IS DISTINCT FROM OLD.signature)
    OR (OLD.authenticator_data IS NOT NULL AND NEW.authenticator_data IS DISTINCT FROM OLD.authenticator_data)
    OR (OLD.first_factor_kind IS NOT NULL AND NEW.first_factor_kind IS DISTINCT FROM OLD.first_factor_kind)
    OR (OLD.second_factor IS NOT NULL AND NEW.second_factor IS DISTINCT FROM OLD.second_factor)
    OR (OLD.witness IS NOT NULL AND NEW.witness IS DISTINCT FROM OLD.witness)
    OR (OLD.date_signed IS NOT NULL AND NEW.date_signed IS DISTINCT FROM OLD.date_signed)
  THEN
    RAISE EXCEPTION 'the user action % stays as it was signed and used', OLD.id USING ERRCODE = 'insufficient_privilege';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER user_actions_evidence BEFORE UPDATE ON user_actions FOR EACH ROW EXECUTE FUNCTION guard_user_action();
`;

/** No role of the service can change the key, address or signature of a row, even if the code is wrong. */
export class GuardIdentities20261123090200 implements MigrationInterface {
  readonly name = 'GuardIdentities20261123090200';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`${changeable}${guards}`);
  }

  async down(): Promise<void> {
    throw new Error('Migrations go forward only: expand first, contract in a later release');
  }
}
