import type { MigrationInterface, QueryRunner } from 'typeorm';
import { MANAGED_ROLES } from '../../domain/managed-roles';
import { newId } from '../../platform/ids';

const TABLES = ['organizations', 'permissions'] as const;

/**
 * Gives existing organisations the permissions of a new organisation. An organisation's own permission of the same name stays.
 */
export class ManagedRoles20261123100300 implements MigrationInterface {
  readonly name = 'ManagedRoles20261123100300';

  async up(runner: QueryRunner): Promise<void> {
    // Forced row-level security would hide every row from the owner, who writes here.
    for (const table of TABLES) await runner.query(`ALTER TABLE ${table} NO FORCE ROW LEVEL SECURITY`);
    const organizations: readonly { readonly id: string }[] = await runner.query('SELECT id FROM organizations ORDER BY id');
    const rows = organizations.flatMap(({ id: org_id }) =>
      MANAGED_ROLES.map((role) => ({ org_id, id: newId('permission'), ...role })),
    );
    await runner.query(
      `INSERT INTO permissions (org_id, id, name, operations, is_managed)
       SELECT org_id, id, name, operations, true FROM jsonb_to_recordset($1) AS r (org_id text, id text, name text, operations jsonb)
       ON CONFLICT (org_id, name) DO NOTHING`,
      [JSON.stringify(rows)],
    );
    for (const table of TABLES) await runner.query(`ALTER TABLE ${table} FORCE ROW LEVEL SECURITY`);
  }

  async down(): Promise<void> {
    throw new Error('Migrations go forward only: expand first, contract in a later release');
  }
}
