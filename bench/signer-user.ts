import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { issueToken } from '../application/access-tokens/tokens';
import { DAY_MS } from '../domain/durations';
import { CredentialEntity } from '../entities/credentials/credential.entity';
import { openStrongroomDatabase } from '../entities/data-source';
import { PermissionEntity } from '../entities/permissions/permission.entity';
import { PermissionAssignmentEntity } from '../entities/permissions/permission-assignment.entity';
import { UserEntity } from '../entities/users/user.entity';
import { newId } from '../platform/ids';
import { createTokenKeys } from '../platform/token-keys';

export type SignerUser = { readonly token: string; readonly credId: string; readonly privateKeyPem: string };

/** Inserts a user who has a signing key and may only create policies. */
export async function writeSigner(appUrl: string, orgId: string, tokenKey: string): Promise<SignerUser> {
  const db = await openStrongroomDatabase({ url: appUrl, poolMax: 1, applicationName: 'bench' });
  const [userId, permissionId, credentialUuid] = [newId('user'), newId('permission'), newId('credential')];
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  const credId = randomBytes(16).toString('base64url');
  const token = await db.withOrg(orgId, async (tx) => {
    const user = { orgId, id: userId, username: 'writer', name: 'Writer', isActive: true, isRegistered: true };
    await tx.insert(UserEntity, { ...user, kind: 'CustomerEmployee', credentialUuid });
    const key = { publicKey: publicKey.export({ format: 'pem', type: 'spki' }).toString(), credentialId: credId };
    await tx.insert(CredentialEntity, { orgId, id: credentialUuid, userId, kind: 'Key', name: 'Key', isActive: true, ...key });
    const permission = { orgId, id: permissionId, name: 'Writers', operations: ['Policies:Create'] };
    await tx.insert(PermissionEntity, { ...permission, isManaged: false, status: 'Active' });
    await tx.insert(PermissionAssignmentEntity, { orgId, id: newId('assignment'), permissionId, userId });
    return (await issueToken(tx, createTokenKeys(tokenKey), { userId, kind: 'Token', lifetimeMs: DAY_MS })).token;
  });
  await db.close();
  return { token, credId, privateKeyPem: privateKey.export({ format: 'pem', type: 'pkcs8' }).toString() };
}
