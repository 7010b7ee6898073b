import type { MigrationInterface, QueryRunner } from 'typeorm';

const present = `
DO $$ BEGIN
  IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'strongroom_worker') THEN
    RAISE EXCEPTION 'the role strongroom_worker does not exist'
      USING HINT = 'Create it as deploy/postgres/create-databases.sh does, and give its address to the worker.';
  END IF;
END $$;
`;

/**
 * The worker gets every right and row-level policy of the application role. The lists below then revoke the rights that only one
 * role needs.
 */
const copied = `
GRANT USAGE ON SCHEMA public TO strongroom_worker;
DO $$ DECLARE one record; BEGIN
  FOR one IN SELECT table_name, privilege_type FROM information_schema.table_privileges
    WHERE grantee = 'strongroom_app' AND table_schema = 'public'
  LOOP EXECUTE format('GRANT %s ON %I TO strongroom_worker', one.privilege_type, one.table_name); END LOOP;
  FOR one IN SELECT table_name, privilege_type, column_name FROM information_schema.column_privileges
    WHERE grantee = 'strongroom_app' AND table_schema = 'public'
  LOOP EXECUTE format('GRANT %s (%I) ON %I TO strongroom_worker', one.privilege_type, one.column_name, one.table_name); END LOOP;
  FOR one IN SELECT tablename, policyname FROM pg_policies WHERE schemaname = 'public' AND 'strongroom_app' = ANY (roles)
  LOOP EXECUTE format('ALTER POLICY %I ON %I TO strongroom_app, strongroom_worker', one.policyname, one.tablename); END LOOP;
END $$;
`;

/** The worker must not write records of a person's own acts, such as logins, signed actions, votes and requests. */
const notTheWorkers = `
REVOKE INSERT, UPDATE ON user_actions, oidc_identities, fee_sponsors FROM strongroom_worker;
REVOKE INSERT ON approval_votes, access_tokens, challenges, one_time_codes, used_id_tokens, users, organizations, webhooks, integrations,
  signatures, key_requests, change_requests, backtests FROM strongroom_worker;
`;

/** The API must not write results from the signer, the chain or a vendor. */
const notTheApis = `
REVOKE INSERT, UPDATE ON payloads FROM strongroom_app;
REVOKE INSERT ON claims, data_keys, screenings, sponsored_fees, backtest_results, payload_readings FROM strongroom_app;
REVOKE UPDATE ON claims, screenings FROM strongroom_app;
GRANT UPDATE (transfer_id, signature_id, after_id, state, is_left) ON claims TO strongroom_app; -- an abort gives back what it had claimed
REVOKE UPDATE ON keys FROM strongroom_app;
GRANT UPDATE (status, name, delegated_to, version, date_deleted) ON keys TO strongroom_app;
`;

/** The API and the worker have separate database roles, so that neither role can write records of the other. */
export class WorkerRole20261123090300 implements MigrationInterface {
  readonly name = 'WorkerRole20261123090300';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query([present, copied, notTheWorkers, notTheApis].join('\n'));
  }

  async down(): Promise<void> {
    throw new Error('Migrations go forward only: expand first, contract in a later release');
  }
}
