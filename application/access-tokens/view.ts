import { shownOperations } from '../../domain/permissions';
import type { TokenRecord } from '../../entities/access-tokens/token-record.store';
import type { ServiceAccountRow } from '../../entities/users/service-account.store';
import type { AssignmentRow } from '../../entities/users/user.store';

const assignmentsView = (assignments: readonly AssignmentRow[]) =>
  assignments.map(({ operations, ...assignment }) => ({ ...assignment, operations: shownOperations(operations) }));

/**
 * `secret` is the token itself. Only the response to the token's creation contains `secret`. `linkedAppId` is always empty,
 * because no token belongs to an application.
 */
export function accessTokenView(record: TokenRecord, secret?: string) {
  return {
    tokenId: record.id,
    orgId: record.orgId,
    kind: record.kind,
    name: record.name,
    linkedUserId: record.userId,
    linkedAppId: '',
    credId: record.credId,
    publicKey: record.publicKey,
    isActive: record.isUsable,
    dateCreated: record.dateCreated.toISOString(),
    permissionAssignments: assignmentsView(record.assignments),
    ...(secret === undefined ? {} : { accessToken: secret }),
  };
}

export function serviceAccountView(account: ServiceAccountRow, tokens: readonly TokenRecord[], secret?: string) {
  const permissionAssignments = assignmentsView(account.assignments);
  return {
    userInfo: {
      username: account.username,
      name: account.name,
      userId: account.id,
      kind: account.kind,
      credentialUuid: account.credentialUuid,
      credentialId: tokens[0]?.credId ?? '',
      orgId: account.orgId,
      ...(account.tenantId === null ? {} : { tenantId: account.tenantId }),
      isActive: account.isActive,
      isServiceAccount: account.isServiceAccount,
      isRegistered: account.isRegistered,
      permissions: [...new Set(permissionAssignments.flatMap(({ operations }) => operations))].sort(),
      permissionAssignments,
    },
    accessTokens: tokens.map((token) => accessTokenView(token, secret)),
  };
}
