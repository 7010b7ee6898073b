import { z } from 'zod';
import { TOKEN_DAYS_DEFAULT, TOKEN_DAYS_MAX, TOKEN_SECONDS_MAX } from '../../domain/access-tokens';

const NAME_CHARS_MAX = 256;
const PUBLIC_KEY_CHARS_MAX = 8_192;

/** Members of a token or service account that can be changed. */
export const NAMED = {
  name: z.string().min(1).max(NAME_CHARS_MAX),
  externalId: z.string().min(1).max(NAME_CHARS_MAX).optional(),
};

/** Members shared by the creation of a token and of a service account. */
export const NEW_TOKEN = {
  ...NAMED,
  publicKey: z
    .string()
    .min(1)
    .max(PUBLIC_KEY_CHARS_MAX)
    .describe('PEM (SPKI or PKCS#1) or one line of OpenSSH: Ed25519, P-256, P-384, P-521, secp256k1 or RSA from 2048 bits'),
  permissionId: z.string().min(1).max(64).optional().describe('Needs Permissions:Assign'),
  daysValid: z.number().int().min(1).max(TOKEN_DAYS_MAX).optional().describe(`${TOKEN_DAYS_DEFAULT} by default`),
};

export const SecondsValid = z.number().int().min(1).max(TOKEN_SECONDS_MAX).optional().describe('Takes precedence over daysValid');

export const PermissionAssignments = z.array(
  z.object({
    permissionName: z.string(),
    permissionId: z.string(),
    assignmentId: z.string(),
    operations: z.array(z.string()).optional(),
  }),
);

const accessToken = {
  dateCreated: z.iso.datetime(),
  credId: z.string().describe('Identifies the key in a signed challenge'),
  isActive: z.boolean(),
  kind: z.enum(['Pat', 'ServiceAccount']),
  linkedUserId: z.string(),
  linkedAppId: z.string(),
  name: z.string(),
  orgId: z.string(),
  permissionAssignments: PermissionAssignments,
  publicKey: z.string(),
  tokenId: z.string(),
};

const Secret = z.string().describe('The bearer token; only the response to its creation contains it');

export const PersonalAccessToken = z
  .object({ ...accessToken, accessToken: Secret.optional() })
  .meta({ id: 'PersonalAccessToken' });
export const CreatedPersonalAccessToken = z
  .object({ ...accessToken, accessToken: Secret })
  .meta({ id: 'CreatedPersonalAccessToken' });
