import { CREDENTIAL_KINDS } from '../../domain/credentials';
import { AppError } from '../../domain/errors';
import { isId } from '../../domain/ids';
import { auditEntryStore } from '../../entities/audit-logs/audit-entry.store';
import { CredentialEntity } from '../../entities/credentials/credential.entity';
import { credentialStore } from '../../entities/credentials/credential.store';
import type { Database, Tx } from '../../entities/database';
import { userStore } from '../../entities/users/user.store';
import { getOrganization } from '../organizations/organizations';

type Membership = { readonly userId: string; readonly fromOrgId: string; readonly toOrgId: string };

/**
 * Makes an employee of one organisation a member of another organisation of the same tenant. The member is a separate row with
 * the same id, without permissions, and with copies of the credentials that sign. Idempotent. Throws `NotFound`, and
 * `UserExists` if another user of the second organisation has the name. Throws `WrongState` if the organisations do not share a
 * tenant or the user cannot join another organisation.
 */
export async function joinOrganization(db: Database, { userId, fromOrgId, toOrgId }: Membership): Promise<{ joined: boolean }> {
  const from = await getOrganization(db, fromOrgId);
  const to = await getOrganization(db, toOrgId);
  const { tenantId } = from;
  if (tenantId === null || to.tenantId !== tenantId || from.id === to.id) {
    throw new AppError('WrongState', 'the two organizations must be different and belong to one tenant', { fromOrgId, toOrgId });
  }
  const { user, credentials } = await db.withOrg(fromOrgId, (tx) => memberOf(tx, userId, tenantId, toOrgId));
  return db.withOrg(toOrgId, async (tx) => {
    const { id, username, name, credentialUuid } = user;
    const copy = { id, username, name, credentialUuid, kind: 'TenantUser', tenantId, isServiceAccount: false } as const;
    const known = await userStore.find(tx, id);
    if (known?.dateArchived) throw new AppError('WrongState', 'the user was archived in the other organization', { userId });
    if (known) return { joined: false };
    if (!(await userStore.add(tx, { ...copy, isRegistered: true }))) {
      throw new AppError('UserExists', 'another user of the other organization has this name', { username });
    }
    for (const credential of credentials) await tx.insert(CredentialEntity, { ...credential, orgId: toOrgId });
    await auditEntryStore.command(tx, 'org:join', { userId, fromOrgId });
    return { joined: true };
  });
}

/** Marks the user as a user of the tenant, and returns the user with the credentials that can be copied. */
async function memberOf(tx: Tx, userId: string, tenantId: string, toOrgId: string) {
  const user = isId('user', userId) ? await userStore.lock(tx, userId) : undefined;
  if (!user || user.dateArchived) throw new AppError('NotFound', 'user not found', { userId });
  if (user.isServiceAccount || user.kind === 'EndUser' || !user.isActive || !user.isRegistered) {
    throw new AppError('WrongState', 'only an active, registered employee can join another organization', { userId });
  }
  // Only credentials that sign are copied. A seed is sealed for one organisation, and a password alone does not suffice.
  const usable = await credentialStore.listUsable(tx, userId, undefined);
  const credentials = usable.filter(({ kind }) => CREDENTIAL_KINDS[kind].signs);
  if (user.kind !== 'TenantUser') await userStore.change(tx, user, { kind: 'TenantUser', tenantId });
  await auditEntryStore.command(tx, 'org:join', { userId, toOrgId });
  return { user, credentials };
}
