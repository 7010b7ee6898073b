import { ALL_OPERATIONS, LATEST_NAMES, shownOperations } from '../../domain/permissions';
import type { CredentialEntity } from '../../entities/credentials/credential.entity';
import type { UserWithAssignments } from '../../entities/users/user.store';

/** A permission for all operations is shown as the list of the names of all operations. */
export function userView(user: UserWithAssignments) {
  return {
    username: user.username,
    name: user.name,
    userId: user.id,
    kind: user.kind,
    credentialUuid: user.credentialUuid,
    orgId: user.orgId,
    isActive: user.isActive,
    isServiceAccount: user.isServiceAccount,
    isRegistered: user.isRegistered,
    isSSORequired: user.isSsoRequired,
    ...(user.tenantId === null ? {} : { tenantId: user.tenantId }),
    permissionAssignments: user.assignments.map(({ operations, ...assignment }) => ({
      ...assignment,
      operations: operations.includes(ALL_OPERATIONS) ? [...LATEST_NAMES] : shownOperations(operations),
    })),
  };
}

export type UserView = ReturnType<typeof userView>;

export function credentialView(credential: CredentialEntity) {
  return {
    kind: credential.kind,
    credentialId: credential.credentialId,
    credentialUuid: credential.id,
    dateCreated: credential.dateCreated.toISOString(),
    isActive: credential.isActive,
    name: credential.name,
    publicKey: credential.publicKey,
    relyingPartyId: credential.relyingPartyId,
    origin: credential.origin,
  };
}
