import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { z } from 'zod';
import { issueToken } from '../application/access-tokens/tokens';
import { foundOrganization } from '../application/organizations/organizations';
import { CredentialEntity } from '../entities/credentials/credential.entity';
import type { Database, Tx } from '../entities/database';
import { PermissionAssignmentEntity } from '../entities/permissions/permission-assignment.entity';
import { UserEntity } from '../entities/users/user.entity';
import { newId } from '../platform/ids';
import type { TokenKeys } from '../platform/token-keys';

/** Every start issues new tokens, and earlier tokens stay valid until they expire. */
const TOKEN_LIFETIME_MS = 7 * 24 * 3_600_000;
const NAMES = ['admin', 'approver'] as const;

/** Waiting times, whose default is a day. The organisation of a trial starts without waiting times. */
export const NO_WAITS = { voterCoolingHours: 0, recoveryWaitHours: 0, keyExportWaitHours: 0 } as const;

const TrialUser = z.object({
  name: z.string(),
  userId: z.string(),
  username: z.string(),
  token: z.string(),
  credId: z.string(),
  privateKeyPem: z.string(),
});
export type TrialUser = z.output<typeof TrialUser>;

export const TrialOrganization = z.object({ orgId: z.string(), users: z.array(TrialUser) });
export type TrialOrganization = z.output<typeof TrialOrganization>;

/** Creates an organisation without waiting times. Each of its users is an administrator with a signing key. */
export async function createTrialOrganization(
  db: Database,
  keys: TokenKeys,
  names: readonly string[] = NAMES,
): Promise<TrialOrganization> {
  const orgId = newId('organization');
  return db.withOrg(orgId, async (tx) => {
    const permissionId = await foundOrganization(tx, 'Local trial', null, NO_WAITS);
    const users: TrialUser[] = [];
    for (const name of names) users.push(await createUser(tx, keys, name, permissionId));
    return { orgId, users };
  });
}

async function createUser(tx: Tx, keys: TokenKeys, name: string, permissionId: string): Promise<TrialUser> {
  const { orgId } = tx;
  const userId = newId('user');
  const credentialUuid = newId('credential');
  const credId = randomBytes(32).toString('base64url');
  const pair = generateKeyPairSync('ed25519');
  const username = `${name}@strongroom.local`;
  await tx.insert(UserEntity, {
    orgId,
    id: userId,
    username,
    name,
    kind: 'CustomerEmployee',
    credentialUuid,
    isActive: true,
    isRegistered: true,
    isServiceAccount: false,
  });
  await tx.insert(CredentialEntity, {
    orgId,
    id: credentialUuid,
    userId,
    kind: 'Key',
    credentialId: credId,
    name: 'Local trial key',
    publicKey: pair.publicKey.export({ format: 'pem', type: 'spki' }).toString(),
    isActive: true,
  });
  await tx.insert(PermissionAssignmentEntity, { orgId, id: newId('assignment'), permissionId, userId });
  const privateKeyPem = pair.privateKey.export({ format: 'pem', type: 'pkcs8' }).toString();
  return { name, userId, username, token: await tokenFor(tx, keys, userId), credId, privateKeyPem };
}

export const tokenFor = async (tx: Tx, keys: TokenKeys, userId: string) =>
  (await issueToken(tx, keys, { userId, kind: 'Token', lifetimeMs: TOKEN_LIFETIME_MS })).token;
