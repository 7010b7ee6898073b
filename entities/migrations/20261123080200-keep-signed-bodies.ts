import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * `sealed_body` keeps the signed text for a later verification. `witness` proves that the API accepted factors that do not
 * produce a signature, such as a password with a code. The first default marks the existing actions. After the migration, no role
 * can set the mark.
 */
const signedBodies = `
ALTER TABLE user_actions ADD sealed_body text, ADD witness text, ADD is_earlier boolean NOT NULL DEFAULT true;
ALTER TABLE user_actions ALTER COLUMN is_earlier SET DEFAULT false;
CREATE FUNCTION guard_earlier_action() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'the mark of earlier user actions never changes' USING ERRCODE = 'insufficient_privilege';
END $$;
CREATE TRIGGER user_actions_guard_new BEFORE INSERT ON user_actions
  FOR EACH ROW WHEN (NEW.is_earlier) EXECUTE FUNCTION guard_earlier_action();
CREATE TRIGGER user_actions_guard_mark BEFORE UPDATE ON user_actions
  FOR EACH ROW WHEN (NEW.is_earlier IS DISTINCT FROM OLD.is_earlier) EXECUTE FUNCTION guard_earlier_action();
`;

export class KeepSignedBodies20261123080200 implements MigrationInterface {
  readonly name = 'KeepSignedBodies20261123080200';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(signedBodies);
  }

  async down(): Promise<void> {
    throw new Error('Migrations go forward only: expand first, contract in a later release');
  }
}
