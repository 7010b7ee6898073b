import type { MigrationInterface, QueryRunner } from 'typeorm';

const ID = 'text COLLATE "C" NOT NULL';

/** The notices about an approval, with their due dates. Each notice is sent once. */
const notices = `
CREATE TABLE approval_notices (
  org_id ${ID}, approval_id ${ID}, kind text NOT NULL,
  group_index integer NOT NULL, date_due timestamptz(3) NOT NULL, date_sent timestamptz(3),
  PRIMARY KEY (org_id, approval_id, kind, group_index),
  FOREIGN KEY (org_id, approval_id) REFERENCES approvals (org_id, id)
);
ALTER TABLE approval_notices ENABLE ROW LEVEL SECURITY;
ALTER TABLE approval_notices FORCE ROW LEVEL SECURITY;
CREATE POLICY of_organization ON approval_notices TO strongroom_app
  USING (org_id = current_setting('strongroom.org_id', true))
  WITH CHECK (org_id = current_setting('strongroom.org_id', true));
GRANT SELECT, INSERT ON approval_notices TO strongroom_app;
GRANT UPDATE (date_sent) ON approval_notices TO strongroom_app;
`;

/** A vote is accepted only from `votes_from` on. The database refuses an earlier vote, even if the code is wrong. */
const seats = `
ALTER TABLE approval_approvers ADD COLUMN votes_from timestamptz(3);
CREATE OR REPLACE FUNCTION guard_approval_vote() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NOT EXISTS (
    SELECT 1 FROM approval_approvers a
    WHERE a.org_id = NEW.org_id AND a.approval_id = NEW.approval_id AND a.user_id = NEW.user_id
      AND (a.may_approve OR NEW.value = 'Denied') AND (a.votes_from IS NULL OR a.votes_from <= clock_timestamp())
  ) THEN
    RAISE EXCEPTION 'user % may not vote % on %', NEW.user_id, NEW.value, NEW.approval_id USING ERRCODE = 'insufficient_privilege';
  END IF;
  RETURN NEW;
END $$;
`;

/**
 * The approvals that one signature decides. With this content, the signed digest can be verified without trust in the service
 * (S2).
 */
const decisions = 'ALTER TABLE user_actions ADD COLUMN decided jsonb;';

/** Approvers get notices and reminders, escalations add approvers, and one signature can decide about several approvals. */
export class ApprovalNotices20261122030500 implements MigrationInterface {
  readonly name = 'ApprovalNotices20261122030500';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query([notices, seats, decisions].join('\n'));
  }

  async down(): Promise<void> {
    throw new Error('Migrations go forward only: expand first, contract in a later release');
  }
}
