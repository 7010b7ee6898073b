import { z } from 'zod';
import { PermissionAssignments, PersonalAccessToken } from '../token-schemas';

export const Application = z
  .object({
    appId: z.string(),
    kind: z.enum(['ServerSideApplication', 'ClientSideApplication']).describe('`ClientSideApplication` for every web page'),
    orgId: z.string(),
    expectedRpId: z.string().optional().describe('The relying party ID of passkeys (RP_ID)'),
    name: z.string(),
    isActive: z.boolean().describe('Always true'),
    expectedOrigin: z.string().optional().describe('The origin of the page'),
    permissionAssignments: PermissionAssignments.describe('Always empty'),
    accessTokens: z.array(PersonalAccessToken).describe('Always empty'),
  })
  .meta({ id: 'Application' });
