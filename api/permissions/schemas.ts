import { z } from 'zod';
import { PERMISSION_NAMES } from '../../domain/permissions';
import { changeRequestSchema } from '../http/change-requests';

const PERMISSION_NAME_LENGTH_MAX = 100;

const PermissionOperation = z.enum(PERMISSION_NAMES).meta({
  id: 'PermissionOperation',
  description: 'Earlier spellings are accepted too; responses use the latest spelling',
});

/** A blank name is refused, because people could not tell two blank names apart. */
export const PermissionName = z
  .string()
  .min(1)
  .max(PERMISSION_NAME_LENGTH_MAX)
  .regex(/\S/, 'must not be blank')
  .describe('Unique in the organisation, including its archived permissions; the names of managed permissions are reserved');
export const PermissionOperations = z
  .array(PermissionOperation)
  .min(1)
  .max(PERMISSION_NAMES.length)
  .describe('All operations that the permission allows; they replace the former operations');

const body = {
  id: z.string(),
  name: z.string(),
  operations: z
    .array(z.string())
    .describe('Permission names in their latest spelling, sorted; a permission for everything lists all of them'),
  status: z
    .literal('Active')
    .describe('Always `Active`, as in the published interface; `isArchived` states whether the permission is archived'),
  isImmutable: z.boolean().describe('True for a managed permission that cannot be changed at all'),
  isArchived: z.boolean().describe('An archived permission grants nothing to its holders'),
};
const dates = { dateCreated: z.iso.datetime(), dateUpdated: z.iso.datetime() };

export const Permission = z.object({ ...body, ...dates }).meta({ id: 'Permission' });
export const PermissionChangeRequest = changeRequestSchema('Permission', ['Update'], z.object(body));
export const PermissionWithPendingChange = z
  .object({
    ...body,
    ...dates,
    pendingChangeRequest: PermissionChangeRequest.exactOptional().describe('The change that waits for approval'),
  })
  .meta({ id: 'PermissionWithPendingChange' });

const ABOUT_IDENTITY = 'ID of a user, a service account or an access token';
const assignment = {
  id: z.string(),
  permissionId: z.string(),
  identityId: z.string().describe(ABOUT_IDENTITY),
  isImmutable: z.boolean().describe('Whether the assignment cannot be removed'),
};

export const Assignment = z.object({ ...assignment, ...dates }).meta({ id: 'Assignment' });
export const AssignmentChangeRequest = changeRequestSchema('Assignment', ['Create', 'Delete'], z.object(assignment));
export const AssignmentWithPendingChange = z
  .object({
    ...assignment,
    ...dates,
    pendingChangeRequest: AssignmentChangeRequest.exactOptional().describe('The removal that waits for approval'),
  })
  .meta({ id: 'AssignmentWithPendingChange' });

const Id = z.string().min(1).max(64);
export const IdentityId = Id.describe(ABOUT_IDENTITY);
export const PermissionParams = z.strictObject({ permissionId: Id });
export const AssignmentParams = z.strictObject({ permissionId: Id, assignmentId: Id });
