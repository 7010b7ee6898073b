import { AppError, invariant } from '../../domain/errors';
import { isId } from '../../domain/ids';
import { MANAGED_ROLES } from '../../domain/managed-roles';
import { MANAGED_DEFAULT_END_USER } from '../../domain/permissions';
import type { Settings } from '../../domain/settings';
import { auditEntryStore } from '../../entities/audit-logs/audit-entry.store';
import type { Database, Tx } from '../../entities/database';
import { OrganizationEntity } from '../../entities/organizations/organization.entity';
import { PermissionEntity } from '../../entities/permissions/permission.entity';
import { PermissionAssignmentEntity } from '../../entities/permissions/permission-assignment.entity';
import { TenantEntity } from '../../entities/tenants/tenant.entity';
import { userStore } from '../../entities/users/user.store';
import { newId } from '../../platform/ids';
import { FULL_ADMIN } from '../access-tokens/tokens';
import type { IdentityServices } from '../users/identity-services';
import { issueRegistrationCode } from '../users/invitations';

type NewOrganization = {
  readonly name: string;
  readonly adminEmail: string;
  /** Without a tenant, users of the organisation cannot join any other organisation. */
  readonly tenantId?: string | undefined;
};

/** Creates the organisation with the id `tx.orgId`. Returns the id of the permission for full access. */
export async function foundOrganization(
  tx: Tx,
  name: string,
  tenantId: string | null,
  settings: Partial<Settings> = {},
): Promise<string> {
  const { orgId } = tx;
  await tx.insert(OrganizationEntity, { id: orgId, name, tenantId, settings });
  const fullAdminId = newId('permission');
  const others = [MANAGED_DEFAULT_END_USER, ...MANAGED_ROLES].map(({ name, operations }) => ({
    ...{ orgId, id: newId('permission'), name, operations: [...operations] },
    ...({ isManaged: true, status: 'Active' } as const),
  }));
  await tx.insert(PermissionEntity, [{ orgId, id: fullAdminId, ...FULL_ADMIN, status: 'Active' }, ...others]);
  return fullAdminId;
}

/** Throws `NotFound` for a tenant that does not exist. */
export function createOrganization(
  db: Database,
  services: Pick<IdentityServices, 'codeDigest'>,
  { name, adminEmail, tenantId: ofTenant }: NewOrganization,
) {
  const orgId = newId('organization');
  return db.withOrg(orgId, async (tx) => {
    const tenantId = ofTenant === undefined ? null : await presentTenant(tx, ofTenant);
    const permissionId = await foundOrganization(tx, name, tenantId);
    const userId = newId('user');
    const admin = { id: userId, username: adminEmail, name: adminEmail, kind: 'CustomerEmployee' } as const;
    const added = await userStore.add(tx, { ...admin, isRegistered: false, isServiceAccount: false });
    invariant(added, 'a new organisation has no users');
    await tx.insert(PermissionAssignmentEntity, { orgId, id: newId('assignment'), permissionId, userId });
    await auditEntryStore.command(tx, 'org:create', { userId });
    return { orgId, tenantId, userId, ...(await issueRegistrationCode(tx, services, userId)) };
  });
}

async function presentTenant(tx: Tx, tenantId: string): Promise<string> {
  const row = isId('tenant', tenantId) ? await tx.row(TenantEntity, 'WHERE t.id = $1', [tenantId]) : undefined;
  if (!row) throw new AppError('NotFound', 'tenant not found', { tenantId });
  return row.id;
}

/** Throws `NotFound`. */
export async function getOrganization(db: Database, orgId: string): Promise<OrganizationEntity> {
  const known = isId('organization', orgId);
  const row = known ? await db.read(orgId).row(OrganizationEntity, 'WHERE t.id = $1', [orgId]) : undefined;
  if (!row) throw new AppError('NotFound', 'organization not found', { orgId });
  return row;
}
