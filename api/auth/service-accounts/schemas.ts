import { z } from 'zod';
import { NAMED, NEW_TOKEN, PermissionAssignments, PersonalAccessToken } from '../token-schemas';

export const ServiceAccountParams = z.strictObject({ serviceAccountId: z.string().min(1).max(64) });

export const CreateServiceAccountBody = z.strictObject(NEW_TOKEN).meta({ id: 'CreateServiceAccountBody' });

export const UpdateServiceAccountBody = z
  .strictObject({ name: NAMED.name.optional(), externalId: NAMED.externalId })
  .meta({ id: 'UpdateServiceAccountBody' });

export const ServiceAccount = z
  .object({
    userInfo: z.object({
      username: z.string(),
      name: z.string(),
      userId: z.string(),
      kind: z.enum(['CustomerEmployee', 'EndUser', 'TenantUser']),
      credentialUuid: z.string(),
      credentialId: z.string(),
      orgId: z.string(),
      tenantId: z.string().optional(),
      permissions: z.array(z.string()),
      isActive: z.boolean(),
      isServiceAccount: z.boolean(),
      isRegistered: z.boolean(),
      permissionAssignments: PermissionAssignments,
    }),
    accessTokens: z.array(PersonalAccessToken),
  })
  .meta({ id: 'ServiceAccount' });
