import { z } from 'zod';
import { TOKEN_DAYS_DEFAULT, TOKEN_DAYS_MAX, TOKEN_SECONDS_MAX } from '../../domain/access-tokens';

const NAME_CHARS_MAX = 256;
const PUBLIC_KEY_CHARS_MAX = 8_192;

/** The refusals that creating a personal access token and creating a service account have in common. */
export const ABOUT_FIRST_PERMISSION =
  'Nothing is created if an error is returned: 400 `AttestationInvalid` for an unusable `publicKey`; with `permissionId`, ' +
  '404 `NotFound` for an unknown permission, 409 `WrongState` for an archived permission, 403 `BeyondOwnRights` for a ' +
  'permission with operations that the caller lacks, and 403 `PolicyBlocked` if a policy blocks the assignment.';

/** The members that a caller can change. */
export const NAMED = {
  name: z.string().min(1).max(NAME_CHARS_MAX),
  externalId: z
    .string()
    .min(1)
    .max(NAME_CHARS_MAX)
    .optional()
    .describe('An ID that the caller chooses, unique in the organisation'),
};

/** The members that new tokens and new service accounts share. */
export const NEW_TOKEN = {
  ...NAMED,
  publicKey: z
    .string()
    .min(1)
    .max(PUBLIC_KEY_CHARS_MAX)
    .describe(
      'One PEM block (SPKI or PKCS#1) or one line of OpenSSH: Ed25519, P-256, P-384, P-521, secp256k1, or RSA of 2048 to 8192 bits',
    ),
  permissionId: z
    .string()
    .min(1)
    .max(64)
    .optional()
    .describe('The permission to assign at once; the caller needs Permissions:Assign for it'),
  daysValid: z
    .number()
    .int()
    .min(1)
    .max(TOKEN_DAYS_MAX)
    .optional()
    .describe(`Days until the token expires; ${TOKEN_DAYS_DEFAULT} by default`),
};

export const SecondsValid = z
  .number()
  .int()
  .min(1)
  .max(TOKEN_SECONDS_MAX)
  .optional()
  .describe('Seconds until the token expires; takes precedence over daysValid');

const HeldPermission = z
  .object({
    permissionName: z.string(),
    permissionId: z.string(),
    assignmentId: z.string(),
    operations: z.array(z.string()).optional().describe('Permission names in their latest spelling, sorted'),
  })
  .meta({ id: 'HeldPermission', description: 'A permission, with the assignment that gives it to its holder' });

export const PermissionAssignments = z.array(HeldPermission);

const accessToken = {
  dateCreated: z.iso.datetime(),
  credId: z.string().describe('Identifies the key in a signed challenge'),
  isActive: z
    .boolean()
    .describe('Whether the token can be used now: false if the token has expired, or if the token or its user is deactivated'),
  kind: z
    .enum(['Pat', 'ServiceAccount'])
    .describe('Pat: a personal access token; ServiceAccount: the token of a service account'),
  linkedUserId: z.string().describe('The user as whom the token acts'),
  linkedAppId: z.string().describe('Always empty: this service has no applications'),
  name: z.string(),
  orgId: z.string(),
  permissionAssignments: PermissionAssignments.describe(
    "The token's own assignments if the token is limited to a permission, otherwise those of its user; archived permissions " +
      'are left out',
  ),
  publicKey: z.string().describe('SPKI in PEM'),
  tokenId: z.string(),
};

const Secret = z.string().describe('The bearer token; only the response that creates it contains it');

export const PersonalAccessToken = z
  .object({ ...accessToken, accessToken: Secret.optional() })
  .meta({ id: 'PersonalAccessToken' });
export const CreatedPersonalAccessToken = z
  .object({ ...accessToken, accessToken: Secret })
  .meta({ id: 'CreatedPersonalAccessToken' });
