import { z } from 'zod';
import { PermissionAssignments } from '../token-schemas';

export const UserKind = z
  .enum(['CustomerEmployee', 'EndUser', 'TenantUser'])
  .describe(
    '`CustomerEmployee` works for the organisation, `EndUser` is a customer of the organisation, and `TenantUser` is an employee who is ' +
      'a member of several organisations of one tenant',
  );

export const User = z
  .object({
    username: z.string().describe('Name to log in with, unique in the organisation regardless of case'),
    name: z.string(),
    userId: z.string(),
    kind: UserKind,
    credentialUuid: z.string().describe('One of the active credentials of the user; empty before the registration'),
    orgId: z.string(),
    isActive: z.boolean().describe('False if the user is deactivated or archived'),
    isServiceAccount: z.boolean(),
    isRegistered: z.boolean().describe('True once the user has registered a credential'),
    isSSORequired: z.boolean().describe("True if the user logs in only at the organisation's identity provider"),
    tenantId: z.string().optional().describe('Only for a `TenantUser`'),
    permissionAssignments: PermissionAssignments,
  })
  .meta({ id: 'User' });

export const UserParams = z.strictObject({ userId: z.string().min(1).max(64) });
