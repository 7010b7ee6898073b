import { AppError } from '../../domain/errors';
import { ALL_OPERATIONS } from '../../domain/permissions';
import type { Tx } from '../../entities/database';
import { organizationStore } from '../../entities/organizations/organization.store';

/** People who may do everything and can do it now: no program, because nobody could ever sign in as one. */
export async function fullAdmins(tx: Tx): Promise<readonly { readonly id: string; readonly username: string }[]> {
  return tx.select(
    `SELECT DISTINCT u.id, u.username FROM users u
     JOIN permission_assignments a ON a.org_id = u.org_id AND a.user_id = u.id AND a.token_id IS NULL
     JOIN permissions p ON p.org_id = a.org_id AND p.id = a.permission_id
     WHERE p.is_managed AND p.status = 'Active' AND p.operations @> jsonb_build_array($1::text)
       AND u.is_active AND u.is_registered AND u.date_archived IS NULL AND NOT u.is_service_account`,
    [ALL_OPERATIONS],
  );
}

/**
 * Makes a change after which somebody who may do everything must remain, unless there was nobody before. The organisation's
 * row is locked meanwhile: of two administrators who remove each other at once, one is refused. Throws `LastAdministrator`.
 */
export async function keepingFullAdmin<T>(tx: Tx, change: () => Promise<T>): Promise<T> {
  await organizationStore.lock(tx);
  const before = await fullAdmins(tx);
  const result = await change();
  if (before.length > 0 && (await fullAdmins(tx)).length === 0) {
    throw new AppError('LastAdministrator', 'the last active administrator with full access cannot be removed');
  }
  return result;
}
