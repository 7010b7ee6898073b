import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * No role can remove an entry of the audit log from the waiting list before the entry has a place. Sequences begin at 1, because
 * readers request only places from 1 on. The trigger runs after the whole statement, because one statement writes the places and
 * removes the waiting rows. The function specifies the schema of `audit_places`, because otherwise a role could create a
 * temporary table with the same name, which the function would then use.
 */
const guard = `
CREATE FUNCTION audit_entries_stay() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT FROM gone g WHERE NOT EXISTS (
    SELECT FROM public.audit_places p WHERE p.org_id = g.org_id AND p.entry_id = g.entry_id)) THEN
    RAISE EXCEPTION 'an entry of the audit log stays in the waiting list until it has a place';
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER audit_pending_stays AFTER DELETE ON audit_pending REFERENCING OLD TABLE AS gone
  FOR EACH STATEMENT EXECUTE FUNCTION audit_entries_stay();
ALTER TABLE audit_places ADD CONSTRAINT audit_places_from_one CHECK (sequence > 0);
`;

export class WaitingEntriesStay20261130170100 implements MigrationInterface {
  readonly name = 'WaitingEntriesStay20261130170100';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(guard);
  }

  async down(): Promise<void> {
    throw new Error('Migrations go forward only: expand first, contract in a later release');
  }
}
