import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Verdicts and approvals cover the fee sponsor from this migration on. Older requests keep the content that was judged and signed
 * without the sponsor. The first default marks these older requests. After the migration, no role can set the mark.
 */
const nameSponsors = `
ALTER TABLE transfers ADD leaves_sponsor_out boolean NOT NULL DEFAULT true;
ALTER TABLE transfers ALTER COLUMN leaves_sponsor_out SET DEFAULT false;
CREATE FUNCTION guard_left_out_sponsor() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'the mark of earlier transfers never changes' USING ERRCODE = 'insufficient_privilege';
END $$;
CREATE TRIGGER transfers_guard_new_mark BEFORE INSERT ON transfers
  FOR EACH ROW WHEN (NEW.leaves_sponsor_out) EXECUTE FUNCTION guard_left_out_sponsor();
CREATE TRIGGER transfers_guard_mark BEFORE UPDATE ON transfers
  FOR EACH ROW WHEN (NEW.leaves_sponsor_out IS DISTINCT FROM OLD.leaves_sponsor_out) EXECUTE FUNCTION guard_left_out_sponsor();
`;

export class NameSponsors20261123120500 implements MigrationInterface {
  readonly name = 'NameSponsors20261123120500';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(nameSponsors);
  }

  async down(): Promise<void> {
    throw new Error('Migrations go forward only: expand first, contract in a later release');
  }
}
