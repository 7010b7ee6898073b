import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Takes the lock and reads the epoch in one message. The function is volatile, so each of its statements has its own snapshot. A
 * single SELECT would wait for the lock and then return the epoch from before the wait.
 */
const policyStand = `
CREATE FUNCTION policy_stand(class integer, org text) RETURNS TABLE (epoch integer, written_by text)
LANGUAGE plpgsql VOLATILE AS $$
BEGIN
  PERFORM pg_advisory_xact_lock_shared(class, hashtext(org));
  RETURN QUERY SELECT o.policy_epoch, o.xmin::text FROM organizations o WHERE o.id = org;
END $$;
`;

/** Within an organisation, no evaluation overlaps a change of policies (P7). */
export class OrderPolicyChanges20261123080300 implements MigrationInterface {
  readonly name = 'OrderPolicyChanges20261123080300';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(policyStand);
  }

  async down(): Promise<void> {
    throw new Error('Migrations go forward only: expand first, contract in a later release');
  }
}
