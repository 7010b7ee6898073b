import { AppError } from '../../domain/errors';
import type { Tx } from '../../entities/database';
import { policyStore } from '../../entities/policies/policy.store';

/**
 * Call this function for a change that takes away a user's access or right to vote. Throws `NamedApprover` if an active policy
 * names the user as an approver, because activities would then wait for ever. The caller has locked the user's row or called
 * `beginPolicyChange`. Every writer of a policy takes both locks, so no policy can start to name the user meanwhile.
 */
export async function assertNoPolicyNames(tx: Tx, userId: string): Promise<void> {
  const policies = await policyStore.namingApprover(tx, userId);
  if (policies.length === 0) return;
  const names = policies.map(({ id, name }) => `${name} (${id})`).join(', ');
  throw new AppError('NamedApprover', `active policies name this approver: ${names}`, { userId, policies });
}
