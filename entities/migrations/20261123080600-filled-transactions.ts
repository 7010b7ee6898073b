import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * A transaction to be signed may leave nonce, gas and price open. `payload` keeps the requested transaction, which approvals
 * cover. `filled_hex` contains the complete bytes, which are written once, after the approval.
 */
const filledTransactions = `
ALTER TABLE signatures ADD filled_hex text;
GRANT UPDATE (filled_hex, nonce, native_units, token_units) ON signatures TO strongroom_app;

CREATE FUNCTION refuse_another_filling() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF OLD.filled_hex IS NOT NULL OR OLD.payload ->> 'kind' <> 'OpenEvmTransaction' THEN
    RAISE EXCEPTION 'the bytes of signature % stay as they are', OLD.id;
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER signatures_filled_once BEFORE UPDATE OF filled_hex, nonce, native_units, token_units ON signatures
  FOR EACH ROW WHEN ((OLD.filled_hex, OLD.nonce, OLD.native_units, OLD.token_units)
    IS DISTINCT FROM (NEW.filled_hex, NEW.nonce, NEW.native_units, NEW.token_units))
  EXECUTE FUNCTION refuse_another_filling();

-- The service uses up a nonce that it chose and nobody used in time.
ALTER TABLE transfers DROP CONSTRAINT transfers_made_by_service,
  ADD CONSTRAINT transfers_made_by_service
  CHECK (NOT made_by_service OR replaces_id IS NOT NULL OR pays_for_id IS NOT NULL OR cancels_signature_id IS NOT NULL);
`;

export class FilledTransactions20261123080600 implements MigrationInterface {
  readonly name = 'FilledTransactions20261123080600';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(filledTransactions);
  }

  async down(): Promise<void> {
    throw new Error('Migrations go forward only: expand first, contract in a later release');
  }
}
