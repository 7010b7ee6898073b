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
      username: z.string().describe('The user ID, because no person signs in as a service account'),
      name: z.string(),
      userId: z.string(),
      kind: z.enum(['CustomerEmployee', 'EndUser', 'TenantUser']).describe('CustomerEmployee for every service account'),
      credentialUuid: z.string().describe('ID of the credential that contains the public key'),
      credentialId: z.string().describe('Identifies the key in a signed challenge'),
      orgId: z.string(),
      tenantId: z.string().optional().describe('Absent outside of a tenant'),
      permissions: z.array(z.string()).describe('The operations of all its permissions, sorted and without duplicates'),
      isActive: z.boolean(),
      isServiceAccount: z.boolean().describe('Always true here'),
      isRegistered: z.boolean().describe('Always true: a service account needs no registration'),
      permissionAssignments: PermissionAssignments.describe('Archived permissions are left out'),
    }),
    accessTokens: z.array(PersonalAccessToken).describe('The one token of the account'),
  })
  .meta({ id: 'ServiceAccount' });
