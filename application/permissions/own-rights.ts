import { AppError } from '../../domain/errors';
import { beyond, intersection } from '../../domain/permissions';
import { accessTokenStore } from '../../entities/access-tokens/access-token.store';
import type { ChangeRequestEntity } from '../../entities/change-requests/change-request.entity';
import type { Tx } from '../../entities/database';
import { organizationStore } from '../../entities/organizations/organization.store';
import type { Authority } from '../user-actions/act';

type Requester = Pick<ChangeRequestEntity, 'requesterUserId' | 'requesterTokenId'>;

export const requesterOf = ({ caller }: Authority): Requester => ({
  requesterUserId: caller.userId,
  requesterTokenId: caller.tokenId,
});

const NO_RIGHTS = { operations: [], tokenOperations: null };

/**
 * Throws `BeyondOwnRights` if these operations exceed the requester's current rights, unless the organisation allows such
 * grants. A requester who may no longer act has no rights.
 */
export async function assertWithinOwnRights(
  tx: Tx,
  { requesterUserId, requesterTokenId }: Requester,
  stored: readonly string[],
): Promise<void> {
  const standing = await accessTokenStore.standing(tx, requesterUserId, requesterTokenId);
  const { operations, tokenOperations } = standing?.userActive ? standing : NO_RIGHTS;
  const more = beyond(intersection(new Set(operations), tokenOperations && new Set(tokenOperations)), stored);
  if (more.length === 0 || (await organizationStore.settings(tx, tx.orgId)).grantBeyondOwnRights) return;
  throw new AppError('BeyondOwnRights', `the permission has operations that its giver does not have: ${more.join(', ')}`, {
    operations: more,
  });
}
