import { z } from 'zod';

export const UserKind = z.enum(['CustomerEmployee', 'EndUser', 'TenantUser']);

export const User = z
  .object({
    username: z.string(),
    name: z.string(),
    userId: z.string(),
    kind: UserKind,
    credentialUuid: z.string(),
    orgId: z.string(),
    isActive: z.boolean(),
    isServiceAccount: z.boolean(),
    isRegistered: z.boolean(),
    isSSORequired: z.boolean(),
    tenantId: z.string().optional(),
    permissionAssignments: z.array(
      z.object({
        permissionName: z.string(),
        permissionId: z.string(),
        assignmentId: z.string(),
        operations: z.array(z.string()).optional(),
      }),
    ),
  })
  .meta({ id: 'User' });

export const UserParams = z.strictObject({ userId: z.string().min(1).max(64) });
