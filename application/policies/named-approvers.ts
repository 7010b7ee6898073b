import { AppError } from '../../domain/errors';
import type { Tx } from '../../entities/database';
import { policyStore } from '../../entities/policies/policy.store';

/**
 * Refuses to remove a user whom an active policy names as an approver, because activities would wait for an approver who cannot
 * decide. The caller has locked the user's row. Every writer of a policy locks that row in shared mode, so no policy can start
 * to name the user meanwhile. Throws `NamedApprover` with the policies.
 */
export async function assertNoPolicyNames(tx: Tx, userId: string): Promise<void> {
  const policies = await policyStore.namingApprover(tx, userId);
  if (policies.length === 0) return;
  const names = policies.map(({ id, name }) => `${name} (${id})`).join(', ');
  throw new AppError('NamedApprover', `active policies name this approver: ${names}`, { userId, policies });
}
