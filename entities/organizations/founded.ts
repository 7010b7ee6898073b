import { ALL_OPERATIONS } from '../../domain/permissions';
import { withAllRows } from '../backup/all-rows';

type Named = { readonly id: string; readonly name: string; readonly administrators: readonly string[] };
export type Founded = {
  readonly organizations: number;
  readonly tenants: number;
  /** The oldest organisations, at most `NAMED_MAX`. Each lists at most `NAMED_MAX` of its administrators with full access. */
  readonly first: readonly Named[];
  /** True if the last freeze came from a restore. */
  readonly isRestored: boolean;
  readonly isFrozen: boolean;
};

const NAMED_MAX = 5;

/** The owner role sees all organisations. */
export const foundedIn = (ownerUrl: string): Promise<Founded> =>
  withAllRows(ownerUrl, async ({ select }) => {
    const [counted] = await select<Omit<Founded, 'first'>>(
      `SELECT (SELECT count(*)::integer FROM organizations) AS organizations, (SELECT count(*)::integer FROM tenants) AS tenants,
         d.date_frozen IS NOT NULL AS "isFrozen", d.freeze_kind = 'Restored' AS "isRestored"
       FROM deployment d`,
    );
    if (!counted) throw new Error('The database does not contain its deployment, so it is unknown whether it was restored');
    const first = await select<Named>(
      `SELECT o.id, o.name, ARRAY(
         SELECT DISTINCT u.username FROM users u
         JOIN permission_assignments a ON a.org_id = u.org_id AND a.user_id = u.id AND a.token_id IS NULL
         JOIN permissions p ON p.org_id = a.org_id AND p.id = a.permission_id
         WHERE u.org_id = o.id AND p.is_managed AND p.status = 'Active' AND p.operations @> jsonb_build_array($1::text)
           AND u.is_active AND u.is_registered AND u.date_archived IS NULL AND NOT u.is_service_account
         ORDER BY u.username LIMIT $2) AS administrators
       FROM organizations o ORDER BY o.id LIMIT $2`,
      [ALL_OPERATIONS, NAMED_MAX],
    );
    return { ...counted, first };
  });
