import { z } from 'zod';
import { PermissionAssignments, PersonalAccessToken } from '../token-schemas';

export const Application = z
  .object({
    appId: z.string(),
    kind: z.enum(['ServerSideApplication', 'ClientSideApplication']),
    orgId: z.string(),
    expectedRpId: z.string().optional(),
    name: z.string(),
    isActive: z.boolean(),
    expectedOrigin: z.string().optional(),
    permissionAssignments: PermissionAssignments,
    accessTokens: z.array(PersonalAccessToken),
  })
  .meta({ id: 'Application' });
