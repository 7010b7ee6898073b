import { z } from 'zod';
import { createOrganization, getOrganization } from '../application/organizations/organizations';
import { changeSettings } from '../application/organizations/settings';
import { joinOrganization } from '../application/users/memberships';
import { auditEntryStore } from '../entities/audit-logs/audit-entry.store';
import { insertTenant } from '../entities/tenants/new-tenant';
import { newId } from '../platform/ids';
import { command, RecordId } from './command';
import { ownerConfig } from './config';
import { reissue } from './reissue-command';
import { ROTATION_COMMANDS } from './rotation-commands';

const Name = z.string().trim().min(1).max(200);

const create = command({
  usage: '--name <organization> --admin-email <address> [--tenant acct-… | --new-tenant <name>]',
  options: z.strictObject({
    name: Name,
    'admin-email': z.email(),
    tenant: RecordId.optional(),
    'new-tenant': Name.optional(),
  }),
  async run({ db, codeDigest }, { name, 'admin-email': adminEmail, tenant, 'new-tenant': newName }) {
    if (tenant !== undefined && newName !== undefined) throw new Error('Pass either --tenant or --new-tenant, not both.');
    const newTenant = newName === undefined ? undefined : { id: newId('tenant'), name: newName };
    if (newTenant) await insertTenant(ownerConfig().OWNER_DATABASE_URL, newTenant);
    const made = await createOrganization(db, { codeDigest }, { name, adminEmail, tenantId: tenant ?? newTenant?.id });
    return [
      `Organization       ${made.orgId}  ${name}`,
      ...(made.tenantId === null ? [] : [`Tenant             ${made.tenantId}`]),
      `Administrator      ${made.userId}  ${adminEmail}`,
      `Registration code  ${made.code}  (once, until ${made.dateExpires.toISOString()})`,
      '',
      'The code is shown only here. Hand it over in person or over a secure channel: the first person who uses it becomes the',
      'administrator. Registration asks for the organization, the mail address as user name, and this code.',
    ];
  },
});

const join = command({
  usage: '--org <organisation to join> --user us-… --from <organisation of the user>',
  options: z.strictObject({ org: RecordId, user: RecordId, from: RecordId }),
  async run({ db }, { org: toOrgId, user: userId, from: fromOrgId }) {
    const { joined } = await joinOrganization(db, { userId, fromOrgId, toOrgId });
    return joined
      ? [`${userId} is now a member of ${toOrgId}, without any permission: an administrator there assigns permissions.`]
      : [`${userId} is already a member of ${toOrgId}; nothing was changed.`];
  },
});

const serviceAccountVotes = command({
  usage: '--org or-… (--on | --off)',
  options: z.strictObject({ org: RecordId, on: z.boolean().optional(), off: z.boolean().optional() }),
  async run({ db }, { org, on = false, off = false }) {
    if (on === off) throw new Error('Pass either --on or --off.');
    await getOrganization(db, org);
    await db.withOrg(org, async (tx) => {
      await changeSettings(tx, { serviceAccountsMayVote: on });
      await auditEntryStore.command(tx, 'org:service-account-votes', { on });
    });
    return on
      ? [`Service accounts of ${org} may vote in policy groups with serviceAccountsCanApprove.`]
      : [`Service accounts of ${org} may not vote, even where a policy allows it.`];
  },
});

export const COMMANDS = {
  'org:create': create,
  'org:join': join,
  'org:reissue': reissue,
  'org:service-account-votes': serviceAccountVotes,
  ...ROTATION_COMMANDS,
};
