import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Lock and epoch in one message. The function is volatile, so that each of its statements takes a snapshot of its own: one plain SELECT
 * would wait for the lock and then answer the epoch from before the wait.
 */
const policyStand = `
CREATE FUNCTION policy_stand(class integer, org text) RETURNS TABLE (epoch integer, written_by text)
LANGUAGE plpgsql VOLATILE AS $$
BEGIN
  PERFORM pg_advisory_xact_lock_shared(class, hashtext(org));
  RETURN QUERY SELECT o.policy_epoch, o.xmin::text FROM organizations o WHERE o.id = org;
END $$;
`;

/** Evaluations and changes of policies of one organisation follow each other (P7). */
export class OrderPolicyChanges20261123080300 implements MigrationInterface {
  readonly name = 'OrderPolicyChanges20261123080300';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(policyStand);
  }

  async down(): Promise<void> {
    throw new Error('Migrations go forward only: expand first, contract in a later release');
  }
}
