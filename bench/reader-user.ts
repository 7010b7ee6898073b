import { issueToken } from '../application/access-tokens/tokens';
import { DAY_MS } from '../domain/durations';
import { openStrongroomDatabase } from '../entities/data-source';
import { PermissionEntity } from '../entities/permissions/permission.entity';
import { PermissionAssignmentEntity } from '../entities/permissions/permission-assignment.entity';
import { UserEntity } from '../entities/users/user.entity';
import { newId } from '../platform/ids';
import { createTokenKeys } from '../platform/token-keys';

/** Returns a bearer token for a new user who has only the given permission. */
export async function writeReader(
  appUrl: string,
  orgId: string,
  tokenKey: string,
  operations: readonly string[] = ['Wallets:Transfers:Read'],
): Promise<string> {
  const db = await openStrongroomDatabase({ url: appUrl, poolMax: 1, applicationName: 'bench' });
  const [userId, permissionId] = [newId('user'), newId('permission')];
  const token = await db.withOrg(orgId, async (tx) => {
    const user = { orgId, id: userId, username: 'reader', name: 'Reader', isActive: true, isRegistered: true };
    await tx.insert(UserEntity, { ...user, kind: 'CustomerEmployee', credentialUuid: newId('credential') });
    await tx.insert(PermissionEntity, {
      orgId,
      id: permissionId,
      name: 'Readers',
      operations: [...operations],
      isManaged: false,
      status: 'Active',
    });
    await tx.insert(PermissionAssignmentEntity, { orgId, id: newId('assignment'), permissionId, userId });
    return (await issueToken(tx, createTokenKeys(tokenKey), { userId, kind: 'Token', lifetimeMs: DAY_MS })).token;
  });
  await db.close();
  return token;
}
